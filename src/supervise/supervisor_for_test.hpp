// Test fixture: a supervisor with real processes that records all events and log lines.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>
#include <signal.h>

#include "supervise/supervisor.hpp"
#include "tests/support/processes.hpp"

namespace heddle::supervise {

class RecordingLog final : public Log {
 public:
  void write(const LogMessage& message) override {
    const std::lock_guard lock(mutex_);
    all_lines_.emplace_back(message.text);
    if (message.level >= LogLevel::warning) lines_.emplace_back(message.text);
  }
  // Warnings and errors.
  std::vector<std::string> lines() const {
    const std::lock_guard lock(mutex_);
    return lines_;
  }
  std::vector<std::string> all_lines() const {
    const std::lock_guard lock(mutex_);
    return all_lines_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
  std::vector<std::string> all_lines_;
};

class SupervisorFixture : public ::testing::Test, public SlotOwner {
 protected:
  using SteadyClock = std::chrono::steady_clock;

  SupervisorFixture()
      : supervisor_(std::make_unique<Supervisor>(loop_.get_executor(), log_, clock_, this)) {}

  void TearDown() override {
    supervisor_.reset();
    EXPECT_TRUE(run_until([] { return !heddle::testing::has_children(); }));
  }

  void on_ready(SlotRef slot) override { ready_.push_back(slot); }
  Async<void> on_frame(SlotRef slot, ipc::Frame frame) override {
    frames_.emplace_back(slot, std::move(frame));
    co_return;
  }
  void on_event(const SlotEvent& event) override {
    events_.push_back(event);
    if (is_death(event.kind)) death_time_ = SteadyClock::now();
  }

  static SlotSpec spec(std::vector<std::string> actions) {
    SlotSpec wanted;
    wanted.name = "worker";
    wanted.argv = {HEDDLE_CHILD};
    for (std::string& action : actions) wanted.argv.push_back(std::move(action));
    wanted.descriptors = {{2, 2}};
    return wanted;
  }

  SlotId start(SlotSpec wanted) {
    const SlotId slot = supervisor_->add(std::move(wanted));
    const Status started = supervisor_->start(slot);
    EXPECT_TRUE(started) << (started ? "" : started.error().message);
    return slot;
  }
  SlotId start(std::initializer_list<std::string> actions) { return start(spec(actions)); }

  // Runs the loop until the condition holds; false after a timeout that only failures reach.
  template <class Condition>
  bool run_until(Condition condition) {
    const auto end = SteadyClock::now() + std::chrono::seconds(30);
    while (!condition()) {
      if (SteadyClock::now() > end) return false;
      loop_.restart();
      loop_.run_one_for(std::chrono::milliseconds(10));
    }
    return true;
  }
  void run_for(std::chrono::milliseconds time) {
    const auto end = SteadyClock::now() + time;
    run_until([end] { return SteadyClock::now() >= end; });
  }

  std::size_t count(SlotEventKind kind) const {
    return static_cast<std::size_t>(std::count_if(
        events_.begin(), events_.end(), [kind](const auto& event) { return event.kind == kind; }));
  }
  std::size_t deaths() const {
    return static_cast<std::size_t>(std::count_if(
        events_.begin(), events_.end(), [](const auto& event) { return is_death(event.kind); }));
  }
  bool wait_for(SlotEventKind kind, std::size_t times = 1) {
    return run_until([&] { return count(kind) >= times; });
  }
  bool wait_for_deaths(std::size_t times = 1) {
    return run_until([&] { return deaths() >= times; });
  }
  SlotEvent last(SlotEventKind kind) const {
    for (auto event = events_.rbegin(); event != events_.rend(); ++event)
      if (event->kind == kind) return *event;
    ADD_FAILURE() << "no event " << name_of(kind);
    return {};
  }
  // Waits for the first death and returns its event.
  SlotEvent death() {
    EXPECT_TRUE(wait_for_deaths());
    for (const SlotEvent& event : events_)
      if (is_death(event.kind)) return event;
    return {};
  }

  SlotStatus status(SlotId slot) const { return supervisor_->status().at(slot); }
  void kill_current(SlotId slot, int signal) {
    const pid_t pid = status(slot).pid;
    ASSERT_GT(pid, 0);
    kill_time_ = SteadyClock::now();
    kill(pid, signal);
  }

  StopReport shut_down(std::chrono::milliseconds timeout) {
    supervisor_->begin_shutdown(SteadyClock::now() + timeout);
    std::optional<StopReport> report;
    boost::asio::co_spawn(loop_, supervisor_->shutdown_ended(),
                          [&report](std::exception_ptr bug, StopReport result) {
                            if (!bug) report = std::move(result);
                          });
    EXPECT_TRUE(run_until([&report] { return report.has_value(); }));
    return report.value_or(StopReport{});
  }

  boost::asio::io_context loop_{1};
  RecordingLog log_;
  SystemClock clock_;
  std::vector<SlotEvent> events_;
  std::vector<SlotRef> ready_;
  std::vector<std::pair<SlotRef, ipc::Frame>> frames_;
  SteadyClock::time_point kill_time_;
  SteadyClock::time_point death_time_;
  std::unique_ptr<Supervisor> supervisor_;
};

}  // namespace heddle::supervise

// A RunDispatcher with a real store and fake slots and workers. Single event loop.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include "hub/runs/dispatch/run_dispatcher.hpp"
#include "ipc/worker_messages.hpp"
#include "net/hosts/local_host_gate.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::hub {

inline void rethrow(const std::exception_ptr& bug) {
  if (bug) std::rethrow_exception(bug);
}

class FakeSlots final : public WorkerSlots {
 public:
  struct Slot {
    supervise::SlotKind kind = supervise::SlotKind::worker;
    supervise::SlotState state = supervise::SlotState::idle;
    std::uint32_t occurrences = 0;
    std::map<std::uint32_t, std::shared_ptr<ipc::Channel>> channels{};
  };

  [[nodiscard]] std::vector<supervise::SlotStatus> status() const override {
    std::vector<supervise::SlotStatus> all;
    for (const auto& [id, slot] : slots)
      all.push_back({.slot = {id, slot.occurrences},
                     .kind = slot.kind,
                     .number = static_cast<int>(id),
                     .state = slot.state});
    return all;
  }
  [[nodiscard]] supervise::SlotState state(supervise::SlotId slot) const override {
    return slots.at(slot).state;
  }
  Status start(supervise::SlotId slot) override {
    started.push_back(slot);
    slots.at(slot).state = can_start ? supervise::SlotState::starting : supervise::SlotState::down;
    if (can_start) return Done{};
    return Error{ErrorCode::unavailable, "no more processes"};
  }
  [[nodiscard]] std::shared_ptr<ipc::Channel> channel(supervise::SlotRef slot) const override {
    const auto& channels = slots.at(slot.slot).channels;
    const auto found = channels.find(slot.occurrence);
    return found == channels.end() ? nullptr : found->second;
  }

  std::map<supervise::SlotId, Slot> slots;
  std::vector<supervise::SlotId> started;
  bool can_start = true;
};

// The other end of a slot's channel.
struct FakeWorker {
  supervise::SlotRef slot;
  std::unique_ptr<ipc::Channel> channel;
  std::vector<ipc::Frame> orders{};

  [[nodiscard]] std::ptrdiff_t count(ipc::WorkerMessage order) const {
    return std::count_if(orders.begin(), orders.end(), [order](const ipc::Frame& frame) {
      return frame.type == static_cast<std::uint16_t>(order);
    });
  }
  [[nodiscard]] bool has(ipc::WorkerMessage order) const { return count(order) > 0; }
};

class RunDispatcherFixture : public ::testing::Test {
 protected:
  static constexpr supervise::SlotId kFirst = 0;
  static constexpr supervise::SlotId kSecond = 1;
  static constexpr supervise::SlotId kIsolated = 2;
  static constexpr int kPoisonLimit = 3;

  struct DispatchedRun {
    RunId run;
    std::optional<ExecutionResult> done{};
  };

  void SetUp() override {
    auto opened = store::SqliteStore::open(folder_.path() / "heddle.db");
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::move(*opened);
    dispatcher_ = std::make_unique<RunDispatcher>(
        loop_.get_executor(), RunDispatcherParts{*store_, gate_, log_, kPoisonLimit});
    auto slots = std::make_unique<FakeSlots>();
    slots_ = slots.get();
    for (const supervise::SlotId slot : {kFirst, kSecond, kIsolated}) slots_->slots[slot];
    slots_->slots[kIsolated].kind = supervise::SlotKind::isolated;
    for (const supervise::SlotId slot : {kFirst, kSecond})
      slots_->slots[slot].state = supervise::SlotState::starting;
    dispatcher_->attach(std::move(slots), kIsolated);
  }

  void TearDown() override {
    dispatcher_->begin_shutdown();
    while (!workers_.empty()) crash(*workers_.front());
    EXPECT_TRUE(run_until([this] { return dispatcher_->runs_under_way() == 0; }));
  }

  static Job job(const std::string& id = "shop") {
    Job made;
    made.id = {id};
    made.name = id;
    made.revision = "1";
    made.urls = {"http://a/1", "http://a/2"};
    made.is_url_list = true;
    return made;
  }

  // Dispatches a new run of the job.
  DispatchedRun& begin(const Job& job) {
    DispatchedRun& work = *dispatched_.emplace_back(std::make_unique<DispatchedRun>());
    work.run = {"run-" + std::to_string(dispatched_.size())};
    heddle::Run record;
    record.id = work.run;
    record.job = job.id;
    EXPECT_TRUE(drive(store_->begin_run(record, job.urls)));
    boost::asio::co_spawn(loop_, dispatcher_->execute(job, work.run, nullptr),
                          [&work](const std::exception_ptr& bug, ExecutionResult done) {
                            rethrow(bug);
                            work.done = std::move(done);
                          });
    run_ready_handlers();
    return work;
  }

  FakeWorker& become_ready(supervise::SlotId id) {
    FakeSlots::Slot& slot = slots_->slots.at(id);
    auto ends = ipc::make_socket_pair();
    const supervise::SlotRef ref{id, slot.occurrences++};
    slot.channels[ref.occurrence] =
        std::make_shared<ipc::Channel>(loop_.get_executor(), std::move(ends->first));
    slot.state = supervise::SlotState::ready;
    auto& worker = *workers_.emplace_back(std::make_unique<FakeWorker>(FakeWorker{
        ref, std::make_unique<ipc::Channel>(loop_.get_executor(), std::move(ends->second))}));
    boost::asio::co_spawn(loop_, listen(worker), rethrow);
    dispatcher_->on_ready(ref);
    return worker;
  }

  // The supervisor will start another worker.
  void crash(FakeWorker& worker, std::uint64_t working_on = 0) {
    const supervise::SlotRef ref = worker.slot;
    slots_->slots.at(ref.slot).channels.erase(ref.occurrence);
    slots_->slots.at(ref.slot).state = supervise::SlotState::waiting;
    worker.channel->close();
    run_ready_handlers();
    std::erase_if(workers_, [&worker](const auto& known) { return known.get() == &worker; });
    send_event(supervise::SlotEventKind::crash, ref, working_on);
  }

  void give_up(supervise::SlotId slot) {
    slots_->slots.at(slot).state = supervise::SlotState::gave_up;
    send_event(supervise::SlotEventKind::gave_up, {slot, 0});
  }

  void send_event(supervise::SlotEventKind kind, supervise::SlotRef slot,
                  std::uint64_t working_on = 0) {
    supervise::SlotEvent event;
    event.kind = kind;
    event.slot = slot;
    event.name = "worker";
    event.working_on = working_on;
    dispatcher_->on_event(event);
    run_ready_handlers();
  }

  // "completed", "failed", …, "quarantined", "paused", "interrupted".
  static std::string end_of(const DispatchedRun& work) {
    const ExecutionResult& result = *work.done;
    if (result.end == ExecutionEnd::paused) return "paused";
    if (result.end == ExecutionEnd::interrupted) return "interrupted";
    if (!result.is_finished()) return "unreadable, or the store is unavailable";
    return result.is_quarantined ? "quarantined" : std::string(to_text(result.outcome.state));
  }

  void report_end(const FakeWorker& worker, const RunId& run, ExecutionEnd end) {
    ipc::RunEnded ended;
    ended.run = run;
    ended.result.end = end;
    boost::asio::co_spawn(
        loop_,
        dispatcher_->on_frame(worker.slot, ipc::to_frame(ipc::WorkerMessage::run_ended, ended)),
        rethrow);
    run_ready_handlers();
  }

  // Stores the next page of the run, without items.
  void complete_page(const FakeWorker& worker, const RunId& run, const Job& job) {
    auto batch = drive(store_->lease_tasks(run, 1, WallTime{}));
    ASSERT_TRUE(batch) << batch.error().message;
    PageResult page;
    page.lease = batch->leases.at(0);
    page.job = job.id;
    ipc::Frame question = ipc::to_frame(ipc::WorkerMessage::commit, page);
    question.number = 1;
    const auto is_done = static_cast<std::size_t>(TaskState::done);
    const auto before = dispatcher_->tasks().at(is_done);
    boost::asio::co_spawn(loop_, dispatcher_->on_frame(worker.slot, std::move(question)), rethrow);
    EXPECT_TRUE(run_until([&] { return dispatcher_->tasks().at(is_done) == before + 1; }));
  }

  bool receives_run(const FakeWorker& worker) {
    return run_until([&] { return worker.has(ipc::WorkerMessage::start_run); });
  }

  // Its worker dies while it computes for the job, so the job is isolated from now on.
  void make_suspect(const Job& job) {
    DispatchedRun& work = begin(job);
    FakeWorker& victim = become_ready(kFirst);
    ASSERT_TRUE(receives_run(victim));
    crash(victim, mark_of(job.id));
    dispatcher_->cancel(work.run);
    ASSERT_TRUE(run_until([&] { return work.done.has_value(); }));
    slots_->slots.at(kIsolated).state = supervise::SlotState::idle;
    slots_->started.clear();
  }

  template <class T>
  T drive(Async<T> work) {
    std::optional<T> result;
    boost::asio::co_spawn(loop_, std::move(work), [&](const std::exception_ptr& bug, T value) {
      rethrow(bug);
      result = std::move(value);
    });
    EXPECT_TRUE(run_until([&] { return result.has_value(); }));
    return std::move(*result);
  }

  template <class Condition>
  bool run_until(Condition condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!condition()) {
      if (std::chrono::steady_clock::now() > end) return false;
      loop_.restart();
      loop_.run_one_for(std::chrono::milliseconds(10));
    }
    return true;
  }

  // Runs the loop until nothing is ready.
  void run_ready_handlers() {
    do loop_.restart();
    while (loop_.poll() > 0);
  }

  heddle::testing::TemporaryFolder folder_;
  boost::asio::io_context loop_{1};
  NoLog log_;
  net::LocalHostGate gate_{loop_.get_executor(), {1, std::chrono::milliseconds(0)}, {}};
  std::unique_ptr<store::SqliteStore> store_;
  std::unique_ptr<RunDispatcher> dispatcher_;
  FakeSlots* slots_ = nullptr;
  std::vector<std::unique_ptr<FakeWorker>> workers_;
  std::vector<std::unique_ptr<DispatchedRun>> dispatched_;

 private:
  static Async<void> listen(FakeWorker& worker) {
    while (true) {
      auto frame = co_await worker.channel->receive();
      if (!frame) co_return;
      worker.orders.push_back(std::move(*frame));
    }
  }
};

}  // namespace heddle::hub

// A desk with a real store, whose slots and workers the test plays itself. One event loop.
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

#include "hub/run_desk.hpp"
#include "ipc/messages/worker_message_values.hpp"
#include "net/local_host_gate.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::hub {

inline void rethrow(const std::exception_ptr& bug) {
  if (bug) std::rethrow_exception(bug);
}

class PlayedSlots final : public WorkerSlots {
 public:
  struct Slot {
    supervise::SlotState state = supervise::SlotState::idle;
    std::uint32_t occurrences = 0;
    std::map<std::uint32_t, std::shared_ptr<ipc::Channel>> channels{};
  };

  [[nodiscard]] std::vector<supervise::SlotId> all() const override {
    std::vector<supervise::SlotId> ids;
    for (const auto& [id, slot] : slots) ids.push_back(id);
    return ids;
  }
  [[nodiscard]] supervise::SlotState state(supervise::SlotId slot) const override {
    return slots.at(slot).state;
  }
  [[nodiscard]] std::optional<int> number(supervise::SlotId slot) const override {
    return static_cast<int>(slot);
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
struct PlayedWorker {
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

class DeskFixture : public ::testing::Test {
 protected:
  static constexpr supervise::SlotId kFirst = 0;
  static constexpr supervise::SlotId kSecond = 1;
  static constexpr supervise::SlotId kAlone = 2;
  static constexpr int kPoisonLimit = 3;

  struct Work {
    RunId run;
    std::optional<WorkDone> done{};
  };

  void SetUp() override {
    auto opened = store::SqliteStore::open(folder_.path() / "heddle.db");
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::move(*opened);
    desk_ = std::make_unique<RunDesk>(loop_.get_executor(),
                                      DeskParts{*store_, gate_, log_, kPoisonLimit});
    auto slots = std::make_unique<PlayedSlots>();
    slots_ = slots.get();
    for (const supervise::SlotId slot : {kFirst, kSecond, kAlone}) slots_->slots[slot];
    for (const supervise::SlotId slot : {kFirst, kSecond})
      slots_->slots[slot].state = supervise::SlotState::starting;
    desk_->attach(std::move(slots), kAlone);
  }

  void TearDown() override {
    desk_->begin_shutdown();
    while (!workers_.empty()) die(*workers_.front());
    EXPECT_TRUE(run_until([this] { return desk_->runs_under_way() == 0; }));
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

  // Asks the desk to work through a new run of the job.
  Work& begin(const Job& job) {
    Work& work = *works_.emplace_back(std::make_unique<Work>());
    work.run = {"run-" + std::to_string(works_.size())};
    heddle::Run record;
    record.id = work.run;
    record.job = job.id;
    EXPECT_TRUE(drive(store_->begin_run(record, job.urls)));
    boost::asio::co_spawn(loop_, desk_->work_through(job, work.run, nullptr),
                          [&work](const std::exception_ptr& bug, WorkDone done) {
                            rethrow(bug);
                            work.done = std::move(done);
                          });
    settle();
    return work;
  }

  PlayedWorker& become_ready(supervise::SlotId id) {
    PlayedSlots::Slot& slot = slots_->slots.at(id);
    auto ends = ipc::make_socket_pair();
    const supervise::SlotRef ref{id, slot.occurrences++};
    slot.channels[ref.occurrence] =
        std::make_shared<ipc::Channel>(loop_.get_executor(), std::move(ends->first));
    slot.state = supervise::SlotState::ready;
    auto& worker = *workers_.emplace_back(std::make_unique<PlayedWorker>(PlayedWorker{
        ref, std::make_unique<ipc::Channel>(loop_.get_executor(), std::move(ends->second))}));
    boost::asio::co_spawn(loop_, listen(worker), rethrow);
    desk_->on_ready(ref);
    return worker;
  }

  // The supervisor will put another one there.
  void die(PlayedWorker& worker, std::uint64_t working_on = 0) {
    const supervise::SlotRef ref = worker.slot;
    slots_->slots.at(ref.slot).channels.erase(ref.occurrence);
    slots_->slots.at(ref.slot).state = supervise::SlotState::waiting;
    worker.channel->close();
    settle();
    std::erase_if(workers_, [&worker](const auto& known) { return known.get() == &worker; });
    tell(supervise::EventKind::crash, ref, working_on);
  }

  void give_up(supervise::SlotId slot) {
    slots_->slots.at(slot).state = supervise::SlotState::gave_up;
    tell(supervise::EventKind::gave_up, {slot, 0});
  }

  void tell(supervise::EventKind kind, supervise::SlotRef slot, std::uint64_t working_on = 0) {
    supervise::ProcessEvent event;
    event.kind = kind;
    event.slot = slot;
    event.name = "worker";
    event.working_on = working_on;
    desk_->on_event(event);
    settle();
  }

  void say_ended(const PlayedWorker& worker, const RunId& run, ipc::RunEnd end) {
    ipc::RunEnded ended;
    ended.run = run;
    ended.end = end;
    boost::asio::co_spawn(
        loop_, desk_->on_frame(worker.slot, ipc::to_frame(ipc::WorkerMessage::run_ended, ended)),
        rethrow);
    settle();
  }

  // Stores the next page of the run, which brought nothing.
  void do_page(const PlayedWorker& worker, const RunId& run, const Job& job) {
    auto batch = drive(store_->lease_tasks(run, 1, WallTime{}));
    ASSERT_TRUE(batch) << batch.error().message;
    PageResult page;
    page.lease = batch->leases.at(0);
    page.job = job.id;
    ipc::Frame question = ipc::to_frame(ipc::WorkerMessage::commit, page);
    question.number = 1;
    const auto is_done = static_cast<std::size_t>(TaskState::done);
    const auto before = desk_->tasks().at(is_done);
    boost::asio::co_spawn(loop_, desk_->on_frame(worker.slot, std::move(question)), rethrow);
    EXPECT_TRUE(run_until([&] { return desk_->tasks().at(is_done) == before + 1; }));
  }

  bool gets_a_run(const PlayedWorker& worker) {
    return run_until([&] { return worker.has(ipc::WorkerMessage::start_run); });
  }

  // Its worker dies while it computes for the job: from now on the job works alone.
  void make_suspect(const Job& job) {
    Work& work = begin(job);
    PlayedWorker& victim = become_ready(kFirst);
    ASSERT_TRUE(gets_a_run(victim));
    die(victim, mark_of(job.id));
    desk_->cancel(work.run);
    ASSERT_TRUE(run_until([&] { return work.done.has_value(); }));
    slots_->slots.at(kAlone).state = supervise::SlotState::idle;
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

  // All that can happen without news from outside.
  void settle() {
    do loop_.restart();
    while (loop_.poll() > 0);
  }

  heddle::testing::TemporaryFolder folder_;
  boost::asio::io_context loop_{1};
  NoLog log_;
  net::LocalHostGate gate_{loop_.get_executor(), {1, std::chrono::milliseconds(0)}, {}};
  std::unique_ptr<store::SqliteStore> store_;
  std::unique_ptr<RunDesk> desk_;
  PlayedSlots* slots_ = nullptr;
  std::vector<std::unique_ptr<PlayedWorker>> workers_;
  std::vector<std::unique_ptr<Work>> works_;

 private:
  static Async<void> listen(PlayedWorker& worker) {
    while (true) {
      auto frame = co_await worker.channel->receive();
      if (!frame) co_return;
      worker.orders.push_back(std::move(*frame));
    }
  }
};

}  // namespace heddle::hub

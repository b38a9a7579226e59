#include "hub/runs/dispatch/run_dispatcher.hpp"

#include <gmock/gmock.h>

#include "hub/runs/dispatch/run_dispatcher_for_test.hpp"
#include "ipc/values/generic.hpp"
#include "store/sqlite/core/connection.hpp"

namespace heddle::hub {
namespace {

using ipc::WorkerMessage;
using supervise::SlotEventKind;
using supervise::SlotState;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class RunDispatcherTest : public RunDispatcherFixture {};

TEST_F(RunDispatcherTest, AssignsARunToAWorkerAndReturnsAtItsEnd) {
  DispatchedRun& work = begin(job());
  FakeWorker& worker = become_ready(kFirst);
  ASSERT_TRUE(receives_run(worker));
  EXPECT_FALSE(work.done);
  report_end(worker, work.run, ExecutionEnd::finished);
  ASSERT_TRUE(work.done);
  EXPECT_EQ(end_of(work), "completed");
  EXPECT_TRUE(work.done->errors.empty());
}

TEST_F(RunDispatcherTest, ReassignsTheRunOfADeadWorker) {
  DispatchedRun& work = begin(job());
  FakeWorker& first = become_ready(kFirst);
  ASSERT_TRUE(receives_run(first));
  crash(first);
  FakeWorker& isolated = become_ready(kIsolated);  // every crash makes the job suspect
  ASSERT_TRUE(receives_run(isolated));
  report_end(isolated, work.run, ExecutionEnd::finished);
  ASSERT_TRUE(work.done);
  EXPECT_EQ(end_of(work), "completed");
}

TEST_F(RunDispatcherTest, IgnoresTheEndReportedByAnotherWorker) {
  DispatchedRun& work = begin(job());
  FakeWorker& holder = become_ready(kFirst);
  ASSERT_TRUE(receives_run(holder));
  FakeWorker& stranger = become_ready(kSecond);
  report_end(stranger, work.run, ExecutionEnd::finished);
  EXPECT_FALSE(work.done);
}

TEST_F(RunDispatcherTest, ReassignsTheRunOfADrainingWorker) {
  DispatchedRun& work = begin(job());
  FakeWorker& first = become_ready(kFirst);
  ASSERT_TRUE(receives_run(first));
  FakeWorker& second = become_ready(kSecond);
  send_event(SlotEventKind::draining, first.slot);
  report_end(first, work.run, ExecutionEnd::interrupted);
  EXPECT_FALSE(work.done);
  EXPECT_TRUE(receives_run(second));
}

TEST_F(RunDispatcherTest, AssignsNoNewRunToExcludedWorkers) {
  DispatchedRun& work = begin(job());
  FakeWorker& old = become_ready(kFirst);
  ASSERT_TRUE(receives_run(old));
  FakeWorker& idle = become_ready(kSecond);
  dispatcher_->exclude_ready_workers();
  DispatchedRun& next = begin(job("other"));
  run_ready_handlers();
  EXPECT_FALSE(idle.has(WorkerMessage::start_run));
  EXPECT_FALSE(next.done) << "it waits for a worker that comes";
  FakeWorker& renewed = become_ready(kSecond);
  EXPECT_TRUE(receives_run(renewed));
  report_end(old, work.run, ExecutionEnd::finished);
  ASSERT_TRUE(work.done);
  EXPECT_EQ(end_of(work), "completed");
}

TEST_F(RunDispatcherTest, WaitsForASlotThatWasNeverReadyWhileAnotherHasGivenUp) {
  const DispatchedRun& work = begin(job());
  give_up(kFirst);
  EXPECT_FALSE(work.done) << work.done->errors.front().message;
  EXPECT_TRUE(receives_run(become_ready(kSecond)));
}

TEST_F(RunDispatcherTest, EndsARunWhenEverySlotHasGivenUp) {
  const DispatchedRun& work = begin(job());
  give_up(kFirst);
  give_up(kSecond);
  ASSERT_TRUE(work.done);
  EXPECT_EQ(end_of(work), "failed");
  EXPECT_EQ(work.done->outcome.reason, ErrorKind::no_worker);
}

TEST_F(RunDispatcherTest, EndsARunWhenNoSlotCouldBeStarted) {
  const DispatchedRun& work = begin(job());
  for (const supervise::SlotId slot : {kFirst, kSecond}) {
    slots_->slots.at(slot).state = SlotState::down;
    send_event(SlotEventKind::start_failed, {slot, 0});
  }
  ASSERT_TRUE(work.done);
  EXPECT_EQ(work.done->outcome.reason, ErrorKind::no_worker);
}

TEST_F(RunDispatcherTest, StartsTheIsolatedSlotForASuspectJob) {
  make_suspect(job());
  FakeWorker& other = become_ready(kSecond);
  DispatchedRun& work = begin(job());
  EXPECT_THAT(slots_->started, ElementsAre(kIsolated));
  FakeWorker& isolated = become_ready(kIsolated);
  ASSERT_TRUE(receives_run(isolated));
  EXPECT_FALSE(other.has(WorkerMessage::start_run));
  report_end(isolated, work.run, ExecutionEnd::finished);
  EXPECT_TRUE(work.done);
}

TEST_F(RunDispatcherTest, LeavesTheIsolatedSlotToItsOwnRecovery) {
  make_suspect(job());
  const DispatchedRun& work = begin(job());
  for (std::uint32_t death = 0; death < 20; ++death) {
    slots_->slots.at(kIsolated).state = SlotState::waiting;
    send_event(SlotEventKind::crash, {kIsolated, death});
  }
  EXPECT_THAT(slots_->started, ElementsAre(kIsolated))
      << "a start forgets backoff and max_restarts";
  EXPECT_FALSE(work.done);
}

TEST_F(RunDispatcherTest, EndsTheRunOfASuspectJobWhenItsSlotHasGivenUp) {
  make_suspect(job());
  become_ready(kSecond);
  const DispatchedRun& work = begin(job());
  give_up(kIsolated);
  ASSERT_TRUE(work.done);
  EXPECT_EQ(end_of(work), "failed");
  EXPECT_EQ(work.done->outcome.reason, ErrorKind::no_worker);
  EXPECT_THAT(work.done->outcome.message, HasSubstr("a worker of its own, which died too often"));
}

TEST_F(RunDispatcherTest, EndsTheRunOfASuspectJobWhenItsSlotCannotBeStarted) {
  make_suspect(job());
  slots_->can_start = false;
  const DispatchedRun& work = begin(job());
  ASSERT_TRUE(work.done);
  EXPECT_EQ(work.done->outcome.reason, ErrorKind::no_worker);
  EXPECT_THAT(slots_->started, ElementsAre(kIsolated));
}

TEST_F(RunDispatcherTest, RestartsTheIsolatedSlotForANewRun) {
  make_suspect(job());
  begin(job());
  give_up(kIsolated);
  slots_->started.clear();
  const DispatchedRun& next = begin(job());
  EXPECT_FALSE(next.done);
  EXPECT_THAT(slots_->started, ElementsAre(kIsolated));
  EXPECT_TRUE(receives_run(become_ready(kIsolated)));
}

TEST_F(RunDispatcherTest, ListsTheJobsOfASlot) {
  FakeWorker& worker = become_ready(kFirst);
  const DispatchedRun& shop = begin(job("shop"));
  begin(job("news"));
  ASSERT_TRUE(run_until([&] { return worker.count(WorkerMessage::start_run) == 2; }));
  EXPECT_THAT(dispatcher_->jobs_at(worker.slot), ElementsAre(JobId{"news"}, JobId{"shop"}));
  report_end(worker, shop.run, ExecutionEnd::finished);
  EXPECT_THAT(dispatcher_->jobs_at(worker.slot), ElementsAre(JobId{"news"}));
  const supervise::SlotRef slot = worker.slot;
  crash(worker);
  EXPECT_THAT(dispatcher_->jobs_at(slot), IsEmpty());
}

TEST_F(RunDispatcherTest, IsolatesOneSuspectRunAtATime) {
  make_suspect(job());
  DispatchedRun& first = begin(job());
  const DispatchedRun& second = begin(job());
  FakeWorker& isolated = become_ready(kIsolated);
  ASSERT_TRUE(receives_run(isolated));
  run_ready_handlers();
  EXPECT_EQ(isolated.orders.size(), 1U);
  report_end(isolated, first.run, ExecutionEnd::finished);
  EXPECT_TRUE(first.done);
  EXPECT_TRUE(run_until([&] { return isolated.orders.size() == 2; }));
  EXPECT_FALSE(second.done);
}

TEST_F(RunDispatcherTest, FreesTheIsolatedSlotForTheNextSuspectAfterAPage) {
  make_suspect(job("one"));
  make_suspect(job("two"));
  const DispatchedRun& first = begin(job("one"));
  FakeWorker& other = become_ready(kSecond);
  FakeWorker& isolated = become_ready(kIsolated);
  ASSERT_TRUE(receives_run(isolated));
  complete_page(isolated, first.run, job("one"));
  run_ready_handlers();
  EXPECT_FALSE(isolated.has(WorkerMessage::stop_run)) << "no run waits for the slot";
  begin(job("two"));
  ASSERT_TRUE(run_until([&] { return isolated.has(WorkerMessage::stop_run); }));
  EXPECT_FALSE(other.has(WorkerMessage::start_run));
  report_end(isolated, first.run, ExecutionEnd::interrupted);
  EXPECT_TRUE(receives_run(other)) << "it continues in a normal slot";
  EXPECT_TRUE(run_until([&] { return isolated.count(WorkerMessage::start_run) == 2; }));
  report_end(other, first.run, ExecutionEnd::finished);
  EXPECT_TRUE(first.done);
}

TEST_F(RunDispatcherTest, AlternatesSuspectJobsPageByPage) {
  make_suspect(job("one"));
  make_suspect(job("two"));
  const DispatchedRun& first = begin(job("one"));
  begin(job("two"));
  FakeWorker& isolated = become_ready(kIsolated);
  ASSERT_TRUE(receives_run(isolated));
  run_ready_handlers();
  EXPECT_FALSE(isolated.has(WorkerMessage::stop_run)) << "it has not completed a page yet";
  complete_page(isolated, first.run, job("one"));
  EXPECT_TRUE(run_until([&] { return isolated.has(WorkerMessage::stop_run); }));
}

TEST_F(RunDispatcherTest, CountsOnlyTheTimeARunIsExecuting) {
  Job limited = job();
  limited.limits.run_time = std::chrono::milliseconds(50);
  begin(limited);
  const auto end = std::chrono::steady_clock::now() + limited.limits.run_time;
  ASSERT_TRUE(run_until([&] { return std::chrono::steady_clock::now() > end; }));
  FakeWorker& worker = become_ready(kFirst);
  ASSERT_TRUE(receives_run(worker));
  const auto order = ipc::decode_frame<ipc::StartRun>(worker.orders.front());
  ASSERT_TRUE(order);
  EXPECT_GT(order->time_left.count(), 0) << "it has waited for a worker longer than it may take";
}

TEST_F(RunDispatcherTest, GivesNoRunToASlotThatRunsNoJobs) {
  constexpr supervise::SlotId kApi = 7;
  slots_->slots[kApi].kind = supervise::SlotKind::api;
  slots_->slots[kApi].state = supervise::SlotState::starting;
  FakeWorker& api = become_ready(kApi);
  const DispatchedRun& work = begin(job());
  run_ready_handlers();
  EXPECT_FALSE(api.has(WorkerMessage::start_run));
  FakeWorker& worker = become_ready(kFirst);
  EXPECT_TRUE(receives_run(worker));
  report_end(worker, work.run, ExecutionEnd::finished);
  EXPECT_TRUE(run_until([&] { return work.done.has_value(); }));
}

TEST_F(RunDispatcherTest, EndsARunThatIsHaltedDuringItsAssignment) {
  for (const auto& [how, end] :
       {std::pair(Halt::pause, "paused"), std::pair(Halt::cancel, "cancelled"),
        std::pair(Halt::stop, "stopped")}) {
    const DispatchedRun& work = begin(job());
    auto lock = store::Connection::open(folder_.path() / "heddle.db", {});
    ASSERT_TRUE(lock && (*lock)->execute("BEGIN IMMEDIATE"));
    FakeWorker& worker = become_ready(kFirst);
    run_ready_handlers();  // the worker is chosen, the store cannot answer yet
    dispatcher_->halt(work.run, how);
    ASSERT_TRUE((*lock)->execute("COMMIT"));
    EXPECT_TRUE(run_until([&] { return work.done.has_value(); }));
    EXPECT_EQ(end_of(work), end);
    EXPECT_FALSE(worker.has(WorkerMessage::start_run));
    crash(worker);
  }
}

TEST_F(RunDispatcherTest, QuarantinesAJobAfterCrashesInARow) {
  const DispatchedRun& work = begin(job());
  for (int death = 0; death < kPoisonLimit; ++death) {
    FakeWorker& victim = become_ready(death == 0 ? kFirst : kIsolated);
    ASSERT_TRUE(receives_run(victim));
    crash(victim, mark_of(job().id));
  }
  ASSERT_TRUE(work.done);
  EXPECT_EQ(end_of(work), "quarantined");
  slots_->slots.at(kIsolated).state = SlotState::gave_up;
  slots_->started.clear();
  EXPECT_EQ(end_of(begin(job())), "quarantined");
  EXPECT_THAT(slots_->started, IsEmpty());
}

TEST_F(RunDispatcherTest, StopsACancelledRunAtItsWorker) {
  DispatchedRun& work = begin(job());
  FakeWorker& worker = become_ready(kFirst);
  ASSERT_TRUE(receives_run(worker));
  dispatcher_->cancel(work.run);
  ASSERT_TRUE(run_until([&] { return worker.has(WorkerMessage::stop_run); }));
  report_end(worker, work.run, ExecutionEnd::interrupted);
  ASSERT_TRUE(work.done);
  EXPECT_EQ(end_of(work), "cancelled");
}

TEST_F(RunDispatcherTest, AcceptsARepeatedHaltOfARunThatItHas) {
  DispatchedRun& work = begin(job());
  FakeWorker& worker = become_ready(kFirst);
  ASSERT_TRUE(receives_run(worker));
  EXPECT_TRUE(dispatcher_->halt(work.run, Halt::cancel));
  EXPECT_TRUE(dispatcher_->halt(work.run, Halt::pause)) << "it ends anyway";
  report_end(worker, work.run, ExecutionEnd::interrupted);
  ASSERT_TRUE(work.done);
  EXPECT_EQ(end_of(work), "cancelled");
  EXPECT_FALSE(dispatcher_->halt(work.run, Halt::cancel)) << "it has ended";
}

TEST_F(RunDispatcherTest, EndsACancelledRunBeforeItsAssignment) {
  const DispatchedRun& work = begin(job());
  dispatcher_->cancel(work.run);
  run_ready_handlers();
  ASSERT_TRUE(work.done);
  EXPECT_EQ(end_of(work), "cancelled");
}

TEST_F(RunDispatcherTest, InterruptsRunsDuringAShutdown) {
  const DispatchedRun& work = begin(job());
  dispatcher_->begin_shutdown();
  run_ready_handlers();
  ASSERT_TRUE(work.done);
  EXPECT_EQ(end_of(work), "interrupted");
}

TEST_F(RunDispatcherTest, ClosesTheChannelOfAWorkerThatViolatesTheProtocol) {
  FakeWorker& worker = become_ready(kFirst);
  boost::asio::co_spawn(loop_, dispatcher_->on_frame(worker.slot, ipc::Frame{0x7000, 1, "garbage"}),
                        rethrow);
  run_ready_handlers();
  EXPECT_FALSE(slots_->channel(worker.slot)->is_open());
}

}  // namespace
}  // namespace heddle::hub

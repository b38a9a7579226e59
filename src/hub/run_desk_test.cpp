#include "hub/run_desk.hpp"

#include <gmock/gmock.h>

#include "hub/desk_for_test.hpp"
#include "ipc/messages/take.hpp"
#include "store/sqlite/connection.hpp"

namespace heddle::hub {
namespace {

using ipc::RunEnd;
using ipc::WorkerMessage;
using supervise::EventKind;
using supervise::SlotState;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class RunDeskTest : public DeskFixture {};

TEST_F(RunDeskTest, GivesARunToAWorkerAndReturnsWhenItSaysTheEnd) {
  Work& work = begin(job());
  PlayedWorker& worker = become_ready(kFirst);
  ASSERT_TRUE(gets_a_run(worker));
  EXPECT_FALSE(work.done);
  say_ended(worker, work.run, RunEnd::worked_through);
  ASSERT_TRUE(work.done);
  EXPECT_EQ(work.done->end, WorkEnd::worked_through);
  EXPECT_FALSE(work.done->problem);
}

TEST_F(RunDeskTest, GivesTheRunOfADeadWorkerToAnother) {
  Work& work = begin(job());
  PlayedWorker& first = become_ready(kFirst);
  ASSERT_TRUE(gets_a_run(first));
  die(first);
  PlayedWorker& alone = become_ready(kAlone);  // every death makes a suspect
  ASSERT_TRUE(gets_a_run(alone));
  say_ended(alone, work.run, RunEnd::worked_through);
  ASSERT_TRUE(work.done);
  EXPECT_EQ(work.done->end, WorkEnd::worked_through);
}

TEST_F(RunDeskTest, BelievesNoWorkerAboutTheRunOfAnother) {
  Work& work = begin(job());
  PlayedWorker& holder = become_ready(kFirst);
  ASSERT_TRUE(gets_a_run(holder));
  PlayedWorker& stranger = become_ready(kSecond);
  say_ended(stranger, work.run, RunEnd::worked_through);
  EXPECT_FALSE(work.done);
}

TEST_F(RunDeskTest, GoesOnElsewhereWhenAWorkerLeavesInTheMiddle) {
  Work& work = begin(job());
  PlayedWorker& first = become_ready(kFirst);
  ASSERT_TRUE(gets_a_run(first));
  PlayedWorker& second = become_ready(kSecond);
  tell(EventKind::draining, first.slot);
  say_ended(first, work.run, RunEnd::interrupted);
  EXPECT_FALSE(work.done);
  EXPECT_TRUE(gets_a_run(second));
}

TEST_F(RunDeskTest, GivesNoNewRunToThoseWhoAreToRestAndLetsThemFinishTheirs) {
  Work& work = begin(job());
  PlayedWorker& old = become_ready(kFirst);
  ASSERT_TRUE(gets_a_run(old));
  PlayedWorker& idle = become_ready(kSecond);
  desk_->let_all_rest();
  Work& next = begin(job("other"));
  settle();
  EXPECT_FALSE(idle.has(WorkerMessage::start_run));
  EXPECT_FALSE(next.done) << "it waits for a worker that comes";
  PlayedWorker& renewed = become_ready(kSecond);
  EXPECT_TRUE(gets_a_run(renewed));
  say_ended(old, work.run, RunEnd::worked_through);
  ASSERT_TRUE(work.done);
  EXPECT_EQ(work.done->end, WorkEnd::worked_through);
}

TEST_F(RunDeskTest, WaitsForASlotThatWasNeverReadyWhileAnotherHasGivenUp) {
  const Work& work = begin(job());
  give_up(kFirst);
  EXPECT_FALSE(work.done) << work.done->problem->message;
  EXPECT_TRUE(gets_a_run(become_ready(kSecond)));
}

TEST_F(RunDeskTest, EndsARunWhenEverySlotHasGivenUp) {
  const Work& work = begin(job());
  give_up(kFirst);
  give_up(kSecond);
  ASSERT_TRUE(work.done);
  EXPECT_EQ(work.done->end, WorkEnd::failed);
  EXPECT_EQ(work.done->problem->kind, "no_worker");
}

TEST_F(RunDeskTest, EndsARunWhenNoSlotCouldBeStarted) {
  const Work& work = begin(job());
  for (const supervise::SlotId slot : {kFirst, kSecond}) {
    slots_->slots.at(slot).state = SlotState::down;
    tell(EventKind::start_failed, {slot, 0});
  }
  ASSERT_TRUE(work.done);
  EXPECT_EQ(work.done->problem->kind, "no_worker");
}

TEST_F(RunDeskTest, StartsTheSlotForSuspectJobsWhenOneIsToRun) {
  make_suspect(job());
  PlayedWorker& other = become_ready(kSecond);
  Work& work = begin(job());
  EXPECT_THAT(slots_->started, ElementsAre(kAlone));
  PlayedWorker& alone = become_ready(kAlone);
  ASSERT_TRUE(gets_a_run(alone));
  EXPECT_FALSE(other.has(WorkerMessage::start_run));
  say_ended(alone, work.run, RunEnd::worked_through);
  EXPECT_TRUE(work.done);
}

TEST_F(RunDeskTest, LeavesTheSlotForSuspectJobsToItsOwnRecovery) {
  make_suspect(job());
  const Work& work = begin(job());
  for (std::uint32_t death = 0; death < 20; ++death) {
    slots_->slots.at(kAlone).state = SlotState::waiting;
    tell(EventKind::crash, {kAlone, death});
  }
  EXPECT_THAT(slots_->started, ElementsAre(kAlone)) << "a start forgets backoff and max_restarts";
  EXPECT_FALSE(work.done);
}

TEST_F(RunDeskTest, EndsTheRunOfASuspectJobWhenItsSlotHasGivenUp) {
  make_suspect(job());
  become_ready(kSecond);
  const Work& work = begin(job());
  give_up(kAlone);
  ASSERT_TRUE(work.done);
  EXPECT_EQ(work.done->end, WorkEnd::failed);
  EXPECT_EQ(work.done->problem->kind, "no_worker");
  EXPECT_THAT(work.done->problem->message, HasSubstr("the worker for suspect jobs has given up"));
}

TEST_F(RunDeskTest, EndsTheRunOfASuspectJobWhenItsSlotCannotBeStarted) {
  make_suspect(job());
  slots_->can_start = false;
  const Work& work = begin(job());
  ASSERT_TRUE(work.done);
  EXPECT_EQ(work.done->problem->kind, "no_worker");
  EXPECT_THAT(slots_->started, ElementsAre(kAlone));
}

TEST_F(RunDeskTest, ForgivesTheSlotForSuspectJobsWhenANewRunIsAskedFor) {
  make_suspect(job());
  begin(job());
  give_up(kAlone);
  slots_->started.clear();
  const Work& next = begin(job());
  EXPECT_FALSE(next.done);
  EXPECT_THAT(slots_->started, ElementsAre(kAlone));
  EXPECT_TRUE(gets_a_run(become_ready(kAlone)));
}

TEST_F(RunDeskTest, TellsWhoseRunsASlotWasGiven) {
  PlayedWorker& worker = become_ready(kFirst);
  const Work& shop = begin(job("shop"));
  begin(job("news"));
  ASSERT_TRUE(run_until([&] { return worker.count(WorkerMessage::start_run) == 2; }));
  EXPECT_THAT(desk_->jobs_at(worker.slot), ElementsAre(JobId{"news"}, JobId{"shop"}));
  say_ended(worker, shop.run, RunEnd::worked_through);
  EXPECT_THAT(desk_->jobs_at(worker.slot), ElementsAre(JobId{"news"}));
  const supervise::SlotRef slot = worker.slot;
  die(worker);
  EXPECT_THAT(desk_->jobs_at(slot), IsEmpty());
}

TEST_F(RunDeskTest, LetsOneSuspectRunAtATimeWorkAlone) {
  make_suspect(job());
  Work& first = begin(job());
  const Work& second = begin(job());
  PlayedWorker& alone = become_ready(kAlone);
  ASSERT_TRUE(gets_a_run(alone));
  settle();
  EXPECT_EQ(alone.orders.size(), 1U);
  say_ended(alone, first.run, RunEnd::worked_through);
  EXPECT_TRUE(first.done);
  EXPECT_TRUE(run_until([&] { return alone.orders.size() == 2; }));
  EXPECT_FALSE(second.done);
}

TEST_F(RunDeskTest, LetsAJobThatHasDoneAPageMakeRoomForTheNextSuspect) {
  make_suspect(job("one"));
  make_suspect(job("two"));
  const Work& first = begin(job("one"));
  PlayedWorker& other = become_ready(kSecond);
  PlayedWorker& alone = become_ready(kAlone);
  ASSERT_TRUE(gets_a_run(alone));
  do_page(alone, first.run, job("one"));
  settle();
  EXPECT_FALSE(alone.has(WorkerMessage::stop_run)) << "nobody waits for its place";
  begin(job("two"));
  ASSERT_TRUE(run_until([&] { return alone.has(WorkerMessage::stop_run); }));
  EXPECT_FALSE(other.has(WorkerMessage::start_run));
  say_ended(alone, first.run, RunEnd::interrupted);
  EXPECT_TRUE(gets_a_run(other)) << "it goes on among the rest";
  EXPECT_TRUE(run_until([&] { return alone.count(WorkerMessage::start_run) == 2; }));
  say_ended(other, first.run, RunEnd::worked_through);
  EXPECT_TRUE(first.done);
}

TEST_F(RunDeskTest, LetsSuspectsTakeTurnsPageByPage) {
  make_suspect(job("one"));
  make_suspect(job("two"));
  const Work& first = begin(job("one"));
  begin(job("two"));
  PlayedWorker& alone = become_ready(kAlone);
  ASSERT_TRUE(gets_a_run(alone));
  settle();
  EXPECT_FALSE(alone.has(WorkerMessage::stop_run)) << "it has yet to show that it is harmless";
  do_page(alone, first.run, job("one"));
  EXPECT_TRUE(run_until([&] { return alone.has(WorkerMessage::stop_run); }));
}

TEST_F(RunDeskTest, CountsOnlyTheTimeARunIsWorkedOn) {
  Job limited = job();
  limited.limits.run_time = std::chrono::milliseconds(50);
  begin(limited);
  const auto end = std::chrono::steady_clock::now() + limited.limits.run_time;
  ASSERT_TRUE(run_until([&] { return std::chrono::steady_clock::now() > end; }));
  PlayedWorker& worker = become_ready(kFirst);
  ASSERT_TRUE(gets_a_run(worker));
  const auto order = ipc::content_of<ipc::StartRun>(worker.orders.front());
  ASSERT_TRUE(order);
  EXPECT_GT(order->time_left.count(), 0) << "it has waited for a worker longer than it may take";
}

TEST_F(RunDeskTest, EndsARunThatIsHaltedWhileItIsHandedOver) {
  for (const auto& [how, end] :
       {std::pair(Halt::pause, WorkEnd::paused), std::pair(Halt::cancel, WorkEnd::cancelled),
        std::pair(Halt::stop, WorkEnd::stopped)}) {
    const Work& work = begin(job());
    auto lock = store::Connection::open(folder_.path() / "heddle.db", {});
    ASSERT_TRUE(lock && (*lock)->execute("BEGIN IMMEDIATE"));
    PlayedWorker& worker = become_ready(kFirst);
    settle();  // the desk has chosen the worker, the store cannot answer yet
    desk_->halt(work.run, how);
    ASSERT_TRUE((*lock)->execute("COMMIT"));
    EXPECT_TRUE(run_until([&] { return work.done.has_value(); }));
    EXPECT_EQ(work.done->end, end);
    EXPECT_FALSE(worker.has(WorkerMessage::start_run));
    die(worker);
  }
}

TEST_F(RunDeskTest, PutsAJobIntoQuarantineUnderWhichWorkersDieInARow) {
  const Work& work = begin(job());
  for (int death = 0; death < kPoisonLimit; ++death) {
    PlayedWorker& victim = become_ready(death == 0 ? kFirst : kAlone);
    ASSERT_TRUE(gets_a_run(victim));
    die(victim, mark_of(job().id));
  }
  ASSERT_TRUE(work.done);
  EXPECT_EQ(work.done->end, WorkEnd::quarantined);
  slots_->slots.at(kAlone).state = SlotState::gave_up;
  slots_->started.clear();
  EXPECT_EQ(begin(job()).done->end, WorkEnd::quarantined);
  EXPECT_THAT(slots_->started, IsEmpty());
}

TEST_F(RunDeskTest, TellsTheWorkerOfACancelledRunAndEndsItCancelled) {
  Work& work = begin(job());
  PlayedWorker& worker = become_ready(kFirst);
  ASSERT_TRUE(gets_a_run(worker));
  desk_->cancel(work.run);
  ASSERT_TRUE(run_until([&] { return worker.has(WorkerMessage::stop_run); }));
  say_ended(worker, work.run, RunEnd::stopped);
  ASSERT_TRUE(work.done);
  EXPECT_EQ(work.done->end, WorkEnd::cancelled);
}

TEST_F(RunDeskTest, EndsACancelledRunThatNoWorkerHasYet) {
  const Work& work = begin(job());
  desk_->cancel(work.run);
  settle();
  ASSERT_TRUE(work.done);
  EXPECT_EQ(work.done->end, WorkEnd::cancelled);
}

TEST_F(RunDeskTest, InterruptsRunsInsteadOfGivingThemAwayDuringAShutdown) {
  const Work& work = begin(job());
  desk_->begin_shutdown();
  settle();
  ASSERT_TRUE(work.done);
  EXPECT_EQ(work.done->end, WorkEnd::interrupted);
}

TEST_F(RunDeskTest, EndsAWorkerThatBreaksTheRules) {
  PlayedWorker& worker = become_ready(kFirst);
  boost::asio::co_spawn(loop_, desk_->on_frame(worker.slot, ipc::Frame{0x7000, 1, "garbage"}),
                        rethrow);
  settle();
  EXPECT_FALSE(slots_->channel(worker.slot)->is_open());
}

}  // namespace
}  // namespace heddle::hub

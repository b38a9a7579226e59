// Workers that are stopped in the middle of their pages, lose them to another and are continued:
// what they still want to store is not theirs any more.
#include <csignal>
#include <cstdlib>

#include <gmock/gmock.h>

#include "ipc/messages/worker_messages.hpp"
#include "tests/daemon/worker_fixture.hpp"

namespace heddle::testing {
namespace {

using ::testing::HasSubstr;

int rounds() {
  const char* wanted = std::getenv("HEDDLE_CHAOS_ROUNDS");
  return wanted != nullptr ? std::atoi(wanted) : 4;
}

class StoppedWorker : public WorkerFixture {
 protected:
  // The site's answers wait for it.
  supervise::SlotStatus stop_in_its_pages() {
    const supervise::SlotStatus stopped = begin_pages();
    kill(stopped.pid, SIGSTOP);
    EXPECT_TRUE(holds_soon([&] { return state_of(stopped.pid) == 'T'; }));
    site_.release("/page");
    return stopped;
  }

  // What the desk hears when somebody is not believed in any more: the process is not asked.
  void declare_dead(const supervise::SlotStatus& who) {
    supervise::ProcessEvent event;
    event.kind = supervise::EventKind::crash;
    event.slot = who.slot;
    event.name = who.name;
    event.detail = "it does not answer";
    coordinator_->desk().on_event(event);
  }

  // It wants to store a page, and is not heard.
  bool is_turned_away(const supervise::SlotStatus& who) {
    return log_.says("worker " + std::to_string(who.slot.slot) + "." +
                     std::to_string(who.slot.occurrence) +
                     " is not served any more: its message of type " +
                     std::to_string(static_cast<int>(ipc::WorkerMessage::commit)) + " ");
  }

  // All pages of the run, leased and stored by somebody else.
  void do_its_pages() {
    store::Store& store = coordinator_->store();
    ASSERT_TRUE(app::drive(loop_, store.release_leases(run_)));
    const auto batch =
        app::drive(loop_, store.lease_tasks(run_, kPages, coordinator_->clock().now()));
    ASSERT_TRUE(batch);
    ASSERT_EQ(batch->leases.size(), static_cast<std::size_t>(kPages));
    for (const Lease& lease : batch->leases) {
      PageResult page;
      page.lease = lease;
      page.job = load().jobs.front().id;
      page.final_url = lease.task.url;
      ASSERT_TRUE(app::drive(loop_, store.commit(std::move(page))));
    }
  }
};

TEST_F(StoppedWorker, StoresNothingOnceAnotherHasItsRun) {
  for (int round = 1; round <= rounds(); ++round) {
    write_job(round);
    const supervise::SlotStatus stopped = stop_in_its_pages();
    declare_dead(stopped);
    ASSERT_TRUE(coordinator_->supervisor().replace(stopped.slot.slot));
    const bool goes_on_early = round % 2 == 0;  // beside the one that has its run now
    if (goes_on_early) {
      ASSERT_TRUE(run_until([&] { return worker().pid != stopped.pid; }));
      kill(stopped.pid, SIGCONT);
    }
    ASSERT_TRUE(run_until([this] { return finished_.has_value(); })) << "round " << round;
    kill(stopped.pid, SIGCONT);
    ASSERT_TRUE(run_until([&] { return is_turned_away(stopped); })) << log_.text();
    kill(stopped.pid, SIGKILL);  // all it sent is read before its end is told
    ASSERT_TRUE(run_until([&] { return !is_alive(stopped.pid); }));

    ASSERT_TRUE(*finished_) << finished_->error().message;
    EXPECT_EQ((*finished_)->run.state, RunState::completed);
    EXPECT_EQ((*finished_)->run.pages.done, kPages);
    EXPECT_EQ((*finished_)->run.items.fresh, kPages);
    ASSERT_EQ(count("SELECT count(*) FROM items"), round * kPages) << "round " << round;
    ASSERT_EQ(count("SELECT count(*) FROM outbox"), round * kPages) << "round " << round;
  }
}

// It is still believed in: only the tokens of its leases tell.
TEST_F(StoppedWorker, StoresNothingOnceItsPagesAreLeasedAnew) {
  for (int round = 1; round <= rounds(); ++round) {
    write_job(round);
    const supervise::SlotStatus stopped = stop_in_its_pages();
    do_its_pages();
    kill(stopped.pid, SIGCONT);
    ASSERT_TRUE(run_until([this] { return finished_.has_value(); })) << "round " << round;
    ASSERT_TRUE(*finished_) << finished_->error().message;
    ASSERT_FALSE((*finished_)->run.errors.empty()) << "it wanted to store nothing";
    EXPECT_THAT((*finished_)->run.errors.front().message, HasSubstr("a newer lease exists"));
    EXPECT_EQ((*finished_)->run.pages.done, kPages);
    ASSERT_EQ(count("SELECT count(*) FROM items"), 0) << "round " << round;
    ASSERT_EQ(count("SELECT count(*) FROM outbox"), 0) << "round " << round;
    EXPECT_EQ(worker().pid, stopped.pid);
  }
}

}  // namespace
}  // namespace heddle::testing

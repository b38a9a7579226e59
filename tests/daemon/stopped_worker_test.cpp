// Workers that are suspended (SIGSTOP) with pages in flight, lose their leases and are continued:
// their late commits are rejected.
#include <csignal>
#include <cstdlib>

#include <gmock/gmock.h>

#include "ipc/worker_messages.hpp"
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
  // The responses of the site are ready when it is continued.
  supervise::SlotStatus suspend_with_pages_in_flight() {
    const supervise::SlotStatus stopped = start_pages();
    kill(stopped.pid, SIGSTOP);
    EXPECT_TRUE(eventually([&] { return state_of(stopped.pid) == 'T'; }));
    site_.release("/page");
    return stopped;
  }

  // Reports a crash to the run dispatcher although the process is alive.
  void declare_dead(const supervise::SlotStatus& status) {
    supervise::SlotEvent event;
    event.kind = supervise::SlotEventKind::crash;
    event.slot = status.slot;
    event.name = status.name;
    event.detail = "it does not answer";
    coordinator_->dispatcher().on_event(event);
  }

  // A commit of this worker was rejected.
  bool is_rejected(const supervise::SlotStatus& status) {
    return log_.contains("worker " + std::to_string(status.slot.slot) + "." +
                         std::to_string(status.slot.occurrence) +
                         " was replaced: its message of type " +
                         std::to_string(static_cast<int>(ipc::WorkerMessage::commit)) + " ");
  }

  // Leases and stores all pages of the run in its place.
  void store_its_pages() {
    store::Store& store = coordinator_->store();
    ASSERT_TRUE(heddle::drive(loop_, store.release_leases(run_)));
    const auto batch =
        heddle::drive(loop_, store.lease_tasks(run_, kPages, coordinator_->clock().now()));
    ASSERT_TRUE(batch);
    ASSERT_EQ(batch->leases.size(), static_cast<std::size_t>(kPages));
    for (const Lease& lease : batch->leases) {
      PageResult page;
      page.lease = lease;
      page.job = load().jobs.front().id;
      page.final_url = lease.task.url;
      ASSERT_TRUE(heddle::drive(loop_, store.commit(std::move(page))));
    }
  }
};

TEST_F(StoppedWorker, StoresNothingAfterItsRunWasReassigned) {
  for (int round = 1; round <= rounds(); ++round) {
    write_job(round);
    const supervise::SlotStatus stopped = suspend_with_pages_in_flight();
    declare_dead(stopped);
    ASSERT_TRUE(coordinator_->supervisor().replace(stopped.slot.slot));
    const bool resumes_early = round % 2 == 0;  // concurrently with the new owner of the run
    if (resumes_early) {
      ASSERT_TRUE(run_until([&] { return worker().pid != stopped.pid; }));
      kill(stopped.pid, SIGCONT);
    }
    ASSERT_TRUE(run_until([this] { return finished_.has_value(); })) << "round " << round;
    kill(stopped.pid, SIGCONT);
    ASSERT_TRUE(run_until([&] { return is_rejected(stopped); })) << log_.text();
    kill(stopped.pid, SIGKILL);  // its messages are read before its death is reported
    ASSERT_TRUE(run_until([&] { return !is_alive(stopped.pid); }));

    ASSERT_TRUE(*finished_) << finished_->error().message;
    EXPECT_EQ((*finished_)->run.state, RunState::completed);
    EXPECT_EQ((*finished_)->run.pages.done, kPages);
    EXPECT_EQ((*finished_)->run.items.fresh, kPages);
    ASSERT_EQ(count("SELECT count(*) FROM items"), round * kPages) << "round " << round;
    ASSERT_EQ(count("SELECT count(*) FROM outbox"), round * kPages) << "round " << round;
  }
}

// The worker counts as alive: only the fencing tokens of its leases reject it.
TEST_F(StoppedWorker, StoresNothingAfterItsPagesWereLeasedAgain) {
  for (int round = 1; round <= rounds(); ++round) {
    write_job(round);
    const supervise::SlotStatus stopped = suspend_with_pages_in_flight();
    store_its_pages();
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

// Workers whose coordinator has closed their channel.
#include "tests/daemon/worker_fixture.hpp"

namespace heddle::testing {
namespace {

using supervise::SlotEventKind;

class AbandonedWorker : public WorkerFixture {
 protected:
  // Closes the channel of a worker with pages in flight; returns how the process exited.
  supervise::SlotEvent abandon_worker() {
    const supervise::SlotStatus abandoned = start_pages();
    std::optional<supervise::SlotEvent> end;
    const auto subscription = coordinator_->supervisor().subscribe([&](const auto& event) {
      if (event.slot == abandoned.slot && supervise::is_death(event.kind)) end = event;
    });
    coordinator_->supervisor().channel(abandoned.slot)->close();
    EXPECT_TRUE(run_until([&] { return end.has_value(); }));
    site_.release("/page");
    EXPECT_TRUE(run_until([this] { return finished_.has_value(); })) << log_.text();
    return end.value_or(supervise::SlotEvent{});
  }
};

// On a busy machine it may be killed first, so one clean exit in ten rounds is enough.
TEST_F(AbandonedWorker, ExitsWithPagesInFlight) {
  for (int round = 1; round <= 10; ++round) {
    write_job(round);
    const supervise::SlotEvent end = abandon_worker();
    EXPECT_NE(end.signal, SIGSEGV);
    EXPECT_NE(end.signal, SIGABRT);
    if (end.kind == SlotEventKind::unpublished && end.exit_code == 0) return;
  }
  ADD_FAILURE() << "it stayed until it was killed";
}

}  // namespace
}  // namespace heddle::testing

// Workers whose coordinator has nothing to do with them any more.
#include "tests/daemon/worker_fixture.hpp"

namespace heddle::testing {
namespace {

using supervise::EventKind;

class AbandonedWorker : public WorkerFixture {
 protected:
  // How the process ended whose channel is closed while the site holds its pages back.
  supervise::ProcessEvent end_of_abandoned() {
    const supervise::SlotStatus abandoned = begin_pages();
    std::optional<supervise::ProcessEvent> end;
    const auto subscription = coordinator_->supervisor().subscribe([&](const auto& event) {
      if (event.slot == abandoned.slot && supervise::is_death(event.kind)) end = event;
    });
    coordinator_->supervisor().channel(abandoned.slot)->close();
    EXPECT_TRUE(run_until([&] { return end.has_value(); }));
    site_.release("/page");
    EXPECT_TRUE(run_until([this] { return finished_.has_value(); })) << log_.text();
    return end.value_or(supervise::ProcessEvent{});
  }
};

// Before it is killed, for which a busy machine may leave it too little time now and then.
TEST_F(AbandonedWorker, LeavesByItselfInTheMiddleOfItsPages) {
  for (int round = 1; round <= 10; ++round) {
    write_job(round);
    const supervise::ProcessEvent end = end_of_abandoned();
    EXPECT_NE(end.signal, SIGSEGV);
    EXPECT_NE(end.signal, SIGABRT);
    if (end.kind == EventKind::unpublished && end.exit_code == 0) return;
  }
  ADD_FAILURE() << "it stayed until it was killed";
}

}  // namespace
}  // namespace heddle::testing

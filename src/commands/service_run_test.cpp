// Services with real processes.
#include <netinet/in.h>
#include <sys/socket.h>

#include "commands/ready_probe.hpp"
#include "commands/run_for_test.hpp"

namespace heddle::commands {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class ServiceRun : public testing::ProgramRunTest {
 protected:
  ServiceRun() {
    job_.kind = JobKind::service;
    job_.program.restart = RestartRule::always;
    add_hook(HookPhase::post_start, "ready", "echo ready >> order");
    add_hook(HookPhase::post_stop, "end", "echo end >> order");
  }
  void command(std::string line) { job_.program.line.command = std::move(line); }
};

TEST_F(ServiceRun, RunsUntilItIsStopped) {
  command("echo $$ > pid; exec sleep 60");
  const ExecutionResult end = carry_out([&](HookedRun& run) {
    if (exists("order") && exists("pid")) run.halt(Halt::stop);
  });
  EXPECT_EQ(end.outcome.state, RunState::stopped);
  EXPECT_THAT(processes(), ElementsAre("0#1 stopped"));
  EXPECT_TRUE(history().processes[0].is_ready);
  EXPECT_THAT(lines_of("order"), ElementsAre("ready", "end"));
}

TEST_F(ServiceRun, IsNotReadyWhenItEndsAtOnce) {
  command("exit 7");
  job_.program.max_restarts = 1;
  carry_out();
  for (const ProcessRecord& process : history().processes) EXPECT_FALSE(process.is_ready);
  EXPECT_THAT(lines_of("order"), ElementsAre("end"));
}

TEST_F(ServiceRun, IsReplacedWhenItEnds) {
  command("echo x >> ran; [ $HEDDLE_ATTEMPT = 3 ] && exec sleep 60; exit 1");
  const ExecutionResult end = carry_out([&](HookedRun& run) {
    if (lines_of("ran").size() == 3) run.halt(Halt::stop);
  });
  EXPECT_EQ(end.outcome.state, RunState::stopped);
  EXPECT_THAT(processes(), ElementsAre("0#1 failed", "0#2 failed", "0#3 stopped"));
}

TEST_F(ServiceRun, GivesUpWhenItEndsTooOften) {
  command("exit 7");
  job_.program.max_restarts = 2;
  const ExecutionResult end = carry_out();
  EXPECT_EQ(end.outcome.state, RunState::failed);
  EXPECT_EQ(end.outcome.reason, ErrorKind::gave_up);
  EXPECT_THAT(processes(), SizeIs(3));
  ASSERT_THAT(end.errors, SizeIs(1));
  EXPECT_THAT(end.errors[0].message, HasSubstr("not restarted any more after 2 restarts in 1m"));
  EXPECT_THAT(lines_of("order"), ::testing::Contains("end"));
}

TEST_F(ServiceRun, CountsASingleRestart) {
  command("exit 7");
  job_.program.max_restarts = 1;
  const ExecutionResult end = carry_out();
  ASSERT_THAT(end.errors, SizeIs(1));
  EXPECT_THAT(end.errors[0].message, HasSubstr("not restarted any more after 1 restart in 1m"));
}

TEST_F(ServiceRun, CompletesWhenOnlyFailuresAreReplaced) {
  command("exit 0");
  job_.program.restart = RestartRule::on_failure;
  EXPECT_EQ(carry_out().outcome.state, RunState::completed);
}

TEST_F(ServiceRun, StopsForAPauseAndResumes) {
  command("echo x >> ran; exec sleep 60");
  const ExecutionResult paused = carry_out([&](HookedRun& run) {
    if (exists("order") && exists("ran")) run.halt(Halt::pause);
  });
  EXPECT_EQ(paused.end, ExecutionEnd::paused);
  EXPECT_EQ(lines_of("order").size(), 1u);
  const ExecutionResult end = carry_out([&](HookedRun& run) {
    if (lines_of("ran").size() == 2) run.halt(Halt::stop);
  });
  EXPECT_EQ(end.outcome.state, RunState::stopped);
  EXPECT_THAT(lines_of("order"), ElementsAre("ready", "end"));
}

TEST_F(ServiceRun, StopsWhileItWaitsForItsRestart) {
  command("echo x >> ran; exit 1");
  job_.retry.base = 60s;
  const ExecutionResult end = carry_out([&](HookedRun& run) {
    if (!history().processes.empty() && history().processes[0].ended_at) run.halt(Halt::stop);
  });
  EXPECT_EQ(end.outcome.state, RunState::stopped);
  EXPECT_THAT(lines_of("ran"), SizeIs(1));
}

// A free local port, with or without a listener.
class Port {
 public:
  Port() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    bind(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
    socklen_t size = sizeof address;
    getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&address), &size);
    number_ = ntohs(address.sin_port);
  }
  void listen() const { ::listen(socket_.get(), 8); }
  [[nodiscard]] std::string number() const { return std::to_string(number_); }

 private:
  FileDescriptor socket_;
  unsigned short number_ = 0;
};

TEST_F(ServiceRun, IsReadyOnlyWhenItsAddressAnswers) {
  const Port port;
  command("exec sleep 60");
  job_.program.ready_check = "tcp://127.0.0.1:" + port.number();
  int polls = 0;
  const ExecutionResult end = carry_out([&](HookedRun& run) {
    if (++polls == 60) {
      EXPECT_FALSE(exists("order"));
      port.listen();
    }
    if (exists("order")) run.halt(Halt::stop);
  });
  EXPECT_EQ(end.outcome.state, RunState::stopped);
  EXPECT_THAT(lines_of("order"), ElementsAre("ready", "end"));
}

TEST(ReadyProbe, TimesOutWhenThePeerNeverAnswers) {
  const Port port;
  port.listen();
  EXPECT_TRUE(heddle::testing::run_async(probe_address("tcp://127.0.0.1:" + port.number(), 10s)));
  EXPECT_FALSE(
      heddle::testing::run_async(probe_address("http://127.0.0.1:" + port.number() + "/x", 100ms)));
  EXPECT_FALSE(heddle::testing::run_async(probe_address("nonsense", 10s)));
}

}  // namespace
}  // namespace heddle::commands

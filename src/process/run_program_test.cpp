#include "process/run_program.hpp"

#include <fstream>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include "tests/support/processes.hpp"
#include "tests/support/run_async.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::process {
namespace {

using namespace std::chrono_literals;
using testing::exits_eventually;
using testing::has_children;
using testing::read_pid;
using testing::run_async;

ProgramSpec shell(std::string script) {
  ProgramSpec spec;
  spec.argv = {"/bin/sh", "-c", std::move(script)};
  spec.environment = {"PATH=/usr/bin:/bin"};
  return spec;
}

CompletedProgram run(ProgramSpec spec) {
  auto end = run_async(run_program(std::move(spec)));
  EXPECT_TRUE(end) << end.error().message;
  return end ? *end : CompletedProgram{};
}

TEST(RunProgram, ReportsTheExitCodeAndBothStreams) {
  const CompletedProgram end = run(shell("echo out; echo err >&2; exit 3"));

  EXPECT_EQ(end.exit_code, 3);
  EXPECT_EQ(end.signal, std::nullopt);
  EXPECT_EQ(end.output, "out\n");
  EXPECT_EQ(end.errors, "err\n");
  EXPECT_EQ(describe(end, 1s), "exit code 3");
}

TEST(RunProgram, ReportsTheSignalThatEndedIt) {
  const CompletedProgram end = run(shell("kill -TERM $$"));

  EXPECT_EQ(end.exit_code, std::nullopt);
  EXPECT_EQ(end.signal, SIGTERM);
  EXPECT_EQ(describe(end, 1s), "killed by signal 15 (Terminated)");
}

TEST(RunProgram, PassesArgumentsAndEnvironmentUnchanged) {
  ProgramSpec spec = shell("printf '%s|%s|%s' \"$1\" \"$NAME\" \"$HOME\"");
  spec.argv.insert(spec.argv.end(), {"sh", "a 'b' $c\n"});
  spec.environment.emplace_back("NAME=x=y");

  EXPECT_EQ(run(std::move(spec)).output, "a 'b' $c\n|x=y|");
}

TEST(RunProgram, RunsInTheGivenFolder) {
  const testing::TemporaryFolder folder;
  ProgramSpec spec = shell("pwd -P");
  spec.directory = folder.path();

  EXPECT_EQ(run(std::move(spec)).output, std::filesystem::canonical(folder.path()).string() + "\n");
}

TEST(RunProgram, FeedsInputLargerThanAnyPipe) {
  ProgramSpec spec = shell("wc -c");
  spec.input.assign(1'000'000, 'x');

  EXPECT_EQ(run(std::move(spec)).output, "1000000\n");
}

TEST(RunProgram, HasNoInputUnlessGivenSome) {
  EXPECT_EQ(run(shell("cat")).output, "");
}

TEST(RunProgram, SurvivesAProgramThatReadsNothingOfItsInput) {
  ProgramSpec spec = shell("exec 0<&-; exit 0");
  spec.input.assign(10'000'000, 'x');

  EXPECT_EQ(run(std::move(spec)).exit_code, 0);
}

TEST(RunProgram, KeepsOnlyTheBeginningOfLongOutput) {
  ProgramSpec spec = shell("head -c 1000000 /dev/zero; echo done >&2");
  spec.max_output_bytes = 1000;

  const CompletedProgram end = run(std::move(spec));

  EXPECT_EQ(end.exit_code, 0);
  EXPECT_EQ(end.output.size(), 1000U);
  EXPECT_TRUE(end.was_output_cut);
  EXPECT_EQ(end.errors, "done\n");
}

TEST(RunProgram, KillsTheWholeGroupOnTimeout) {
  const testing::TemporaryFolder folder;
  ProgramSpec spec =
      shell("sleep 1000 & echo $! > " + (folder.path() / "pid").string() + "; echo begun; wait");
  spec.timeout = 1s;

  const CompletedProgram end = run(std::move(spec));

  EXPECT_TRUE(end.timed_out);
  EXPECT_EQ(end.signal, SIGKILL);
  EXPECT_EQ(end.output, "begun\n");
  EXPECT_EQ(describe(end, 1s), "killed after 1s");
  EXPECT_TRUE(exits_eventually(read_pid(folder.path() / "pid")));
}

TEST(RunProgram, KillsWhatTheProgramLeavesBehind) {
  const testing::TemporaryFolder folder;
  const CompletedProgram end =
      run(shell("sleep 1000 & echo $! > " + (folder.path() / "pid").string() + "; echo bye"));

  EXPECT_EQ(end.exit_code, 0);
  EXPECT_EQ(end.output, "bye\n");
  EXPECT_TRUE(exits_eventually(read_pid(folder.path() / "pid")));
}

TEST(RunProgram, DoesNotWaitForAProcessThatLeftTheGroupWithItsOutput) {
  const testing::TemporaryFolder folder;
  const CompletedProgram end =
      run(shell("setsid sh -c 'echo $$ > " + (folder.path() / "pid").string() +
                "; exec sleep 1000' & while ! [ -s " + (folder.path() / "pid").string() +
                " ]; do sleep 0.01; done; echo bye"));
  kill(read_pid(folder.path() / "pid"), SIGKILL);

  EXPECT_EQ(end.output, "bye\n");
}

TEST(RunProgram, InheritsNoOtherFiles) {
  const testing::TemporaryFolder folder;
  const std::ofstream ours(folder.path() / "open");
  EXPECT_EQ(run(shell("ls /proc/self/fd | wc -l")).output, "4\n");  // 0, 1, 2 and ls's own
}

TEST(RunProgram, ReportsAMissingProgram) {
  ProgramSpec spec;
  spec.argv = {"/no/such/program"};

  const auto end = run_async(run_program(std::move(spec)));

  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().code, ErrorCode::not_found);
  EXPECT_NE(end.error().message.find("/no/such/program"), std::string::npos);
}

TEST(RunProgram, LeavesNoZombies) {
  for (int i = 0; i < 20; ++i) run(shell("exit 0"));
  EXPECT_FALSE(has_children());
}

TEST(RunProgram, KillsTheProgramWhenCancelled) {
  boost::asio::io_context loop;
  boost::asio::cancellation_signal stop;
  ProgramSpec spec = shell("sleep 1000");
  bool ended = false;
  boost::asio::co_spawn(
      loop, run_program(std::move(spec)),
      boost::asio::bind_cancellation_slot(
          stop.slot(), [&](const std::exception_ptr&, const auto&) { ended = true; }));
  loop.run_one();
  loop.poll();
  EXPECT_TRUE(has_children());

  boost::asio::post(loop, [&] { stop.emit(boost::asio::cancellation_type::terminal); });
  loop.run();

  EXPECT_TRUE(ended);
  EXPECT_FALSE(has_children());
}

TEST(RunProgram, KillsTheProgramWhenItsLoopIsDestroyed) {
  {
    boost::asio::io_context loop;
    ProgramSpec spec = shell("sleep 1000");
    boost::asio::co_spawn(loop, run_program(std::move(spec)), boost::asio::detached);
    loop.run_one();
    loop.poll();
    EXPECT_TRUE(has_children());
  }
  EXPECT_FALSE(has_children());
}

}  // namespace
}  // namespace heddle::process

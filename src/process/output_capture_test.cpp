#include "process/output_capture.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "process/pipe.hpp"
#include "process/spawn.hpp"
#include "tests/support/processes.hpp"
#include "tests/support/run_async.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::process {
namespace {

using namespace std::chrono_literals;
using testing::run_async;
using testing::TemporaryFolder;

constexpr std::size_t kTailBytes = 1000;

// Runs a shell and captures both streams.
class CapturedShell {
 public:
  explicit CapturedShell(const std::string& script)
      : output_pipe_(*make_output_pipe()),
        errors_pipe_(*make_output_pipe()),
        program_(start(script)),
        output(std::move(output_pipe_.ours), kTailBytes,
               [this](std::string_view piece) { on_output(piece); }),
        errors(std::move(errors_pipe_.ours), kTailBytes) {
    output_pipe_.theirs.reset();
    errors_pipe_.theirs.reset();
  }

  ExitStatus run(std::chrono::milliseconds grace) {
    return run_async(capture_until_end(program_.wait(), output, errors, grace));
  }

  std::string text;               // the beginning of the output
  std::size_t largest_piece = 0;  // in one call of the sink

 private:
  Spawned start(const std::string& script) const {
    SpawnSpec spec;
    spec.argv = {"/bin/sh", "-c", script};
    spec.environment = {"PATH=/usr/bin:/bin"};
    spec.descriptors = {{output_pipe_.theirs.get(), 1}, {errors_pipe_.theirs.get(), 2}};
    return *spawn(spec);
  }

  void on_output(std::string_view piece) {
    text.append(piece.substr(0, 100'000 - std::min<std::size_t>(text.size(), 100'000)));
    largest_piece = std::max(largest_piece, piece.size());
  }

  Pipe output_pipe_;
  Pipe errors_pipe_;
  Spawned program_;

 public:
  OutputCapture output;
  OutputCapture errors;
};

TEST(OutputCapture, ForwardsBothStreams) {
  CapturedShell shell("echo out; echo err >&2; exit 3");

  EXPECT_EQ(shell.run(10s).exit_code, 3);

  EXPECT_EQ(shell.text, "out\n");
  EXPECT_EQ(shell.output.tail(), "out\n");
  EXPECT_EQ(shell.errors.tail(), "err\n");
  EXPECT_TRUE(shell.output.is_finished());
}

TEST(OutputCapture, KeepsEveryByteOfBinaryOutput) {
  CapturedShell shell("head -c 70000 /dev/zero; printf '\\377\\000\\n'");

  shell.run(10s);

  std::string expected(70'000, '\0');
  expected += std::string("\xff\0\n", 3);
  EXPECT_TRUE(shell.text == expected);
  EXPECT_EQ(shell.output.tail(), expected.substr(expected.size() - kTailBytes));
  EXPECT_EQ(shell.output.total_bytes(), expected.size());
}

TEST(OutputCapture, ReadsAGigabyteInBoundedMemory) {
  rusage before{};
  getrusage(RUSAGE_SELF, &before);
  CapturedShell shell("head -c 1073741824 /dev/zero; echo the end");

  EXPECT_EQ(shell.run(10s).exit_code, 0);

  rusage after{};
  getrusage(RUSAGE_SELF, &after);
  EXPECT_EQ(shell.output.total_bytes(), 1'073'741'824U + 8);
  EXPECT_EQ(shell.output.tail().size(), kTailBytes);
  EXPECT_TRUE(shell.output.tail().ends_with("the end\n"));
  EXPECT_LE(shell.largest_piece, 64U * 1024);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 32 * 1024);  // kilobytes
}

TEST(OutputCapture, DoesNotWaitForAProcessThatKeepsTheStreamOpen) {
  const TemporaryFolder folder;
  const auto file = (folder.path() / "pid").string();
  CapturedShell shell("setsid sh -c 'echo $$ > " + file + "; exec sleep 1000' & while ! [ -s " +
                      file + " ]; do sleep 0.01; done; echo bye");

  EXPECT_EQ(shell.run(0ms).exit_code, 0);

  const pid_t holder = testing::read_pid(file);
  EXPECT_TRUE(testing::is_alive(holder));
  EXPECT_EQ(shell.text, "bye\n");
  kill(holder, SIGKILL);
}

// The process writes for ever: only bytes written before the program ended may be read.
TEST(OutputCapture, DoesNotWaitForAProcessThatKeepsWriting) {
  const TemporaryFolder folder;
  const auto file = (folder.path() / "pid").string();
  CapturedShell shell("setsid sh -c 'echo $$ > " + file + "; exec yes' & while ! [ -s " + file +
                      " ]; do sleep 0.01; done; echo bye");

  EXPECT_EQ(shell.run(0ms).exit_code, 0);

  EXPECT_TRUE(testing::exits_eventually(testing::read_pid(file)));  // its stream is closed
}

TEST(OutputCapture, ReadsALateWriterWithinTheGracePeriod) {
  const TemporaryFolder folder;
  const auto file = (folder.path() / "is_away").string();
  CapturedShell shell("setsid sh -c 'touch " + file + "; sleep 0.2; echo late' & while ! [ -e " +
                      file + " ]; do sleep 0.01; done");

  EXPECT_EQ(shell.run(30s).exit_code, 0);

  EXPECT_EQ(shell.text, "late\n");
}

TEST(OutputCapture, ReportsTheExitWhenBothStreamsEndFirst) {
  CapturedShell shell("exec >&- 2>&-; exit 9");

  EXPECT_EQ(shell.run(1h).exit_code, 9);
}

TEST(OutputCapture, ReadsBufferedBytesWithoutALoop) {
  Pipe pipe = *make_output_pipe();
  ASSERT_EQ(write(pipe.theirs.get(), "left", 4), 4);
  OutputCapture capture(std::move(pipe.ours), kTailBytes);

  capture.finish();

  EXPECT_EQ(capture.tail(), "left");
  EXPECT_TRUE(capture.is_finished());
}

}  // namespace
}  // namespace heddle::process

#include "process/tree/start_claim.hpp"

#include <thread>

#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/socket.h>

#include "process/shepherd/protocol.hpp"
#include "process/shepherded.hpp"
#include "process/spawn.hpp"
#include "tests/support/processes.hpp"
#include "tests/support/run_async.hpp"
#include "tests/support/shepherd_file.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::process {
namespace {

using namespace std::chrono_literals;
using testing::run_async;
using testing::TemporaryFolder;

ShepherdedSpec claimed(const TemporaryFolder& folder, std::vector<std::string> argv) {
  ShepherdedSpec spec;
  spec.program.argv = std::move(argv);
  spec.program.environment = {"PATH=/usr/bin:/bin"};
  spec.program.directory = folder.path();
  spec.shepherd = testing::shepherd_file();
  spec.start_claim = folder.path() / "claims" / "one";
  return spec;
}

TEST(StartClaim, SaysThatTheProgramWasExecuted) {
  const TemporaryFolder folder;
  ShepherdedSpec spec = claimed(folder, {"/bin/sh", "-c", "ls /proc/self/fd > fds"});
  const auto file = spec.start_claim;
  auto started = run_async(Shepherded::start(std::move(spec)));
  ASSERT_TRUE(started) << started.error().message;
  EXPECT_TRUE(read_start_claim(file, 5s));
  run_async((*started)->wait());
  EXPECT_EQ(testing::read_file(folder.path() / "fds"), "0\n1\n2\n3\n") << "3: the folder itself";
}

TEST(StartClaim, SaysThatTheProgramWasNotExecuted) {
  const TemporaryFolder folder;
  ShepherdedSpec spec = claimed(folder, {"/no/such/program"});
  const auto file = spec.start_claim;
  EXPECT_FALSE(read_start_claim(file, 5s)) << "there is none yet";
  EXPECT_FALSE(run_async(Shepherded::start(std::move(spec))));
  EXPECT_TRUE(std::filesystem::exists(file));
  EXPECT_FALSE(read_start_claim(file, 5s));
}

TEST(StartClaim, IsNotReadWhileAShepherdMayStillStartTheProgram) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "claims" / "one";
  FileDescriptor held = open_start_claim(file);
  ASSERT_TRUE(held);
  std::thread shepherd([&held] {
    std::this_thread::sleep_for(50ms);
    ASSERT_EQ(ftruncate(held.get(), 1), 0);
    held.reset();
  });
  EXPECT_TRUE(read_start_claim(file, 10s));
  shepherd.join();
}

TEST(StartClaim, IsReadAfterTheTimeoutWhenAShepherdHangs) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "claims" / "one";
  const FileDescriptor held = open_start_claim(file);
  EXPECT_FALSE(read_start_claim(file, 20ms));
}

// The owner may die between the start of the shepherd and that of the program.
TEST(StartClaim, StaysEmptyWhenTheOwnerIsGone) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "one";
  const FileDescriptor claim = open_start_claim(file);
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
  close(ends[0]);
  const FileDescriptor control(ends[1]);
  SpawnSpec spec;
  spec.argv = {testing::shepherd_file().string(),
               std::to_string(shepherd::kVersion),
               "3",
               "4",
               "0",
               "/bin/sh",
               "-c",
               "echo x > ran"};
  spec.environment = {"PATH=/usr/bin:/bin"};
  spec.directory = folder.path();
  spec.descriptors = {{control.get(), 3}, {claim.get(), 4}};
  auto spawned = spawn(spec);
  ASSERT_TRUE(spawned) << spawned.error().message;
  EXPECT_TRUE(run_async(spawned->wait()).succeeded());
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "ran"));
  EXPECT_FALSE(read_start_claim(file, 0ms));
}

}  // namespace
}  // namespace heddle::process

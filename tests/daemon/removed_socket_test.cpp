// The control socket of a running daemon is removed.
#include <csignal>
#include <thread>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ipc/unix_socket.hpp"
#include "tests/daemon/daemon_fixture.hpp"

namespace heddle::testing {
namespace {

using ::testing::HasSubstr;

class RemovedSocket : public DaemonFixture {
 protected:
  bool is_reached() { return project_.heddle({"status"}).exit_code == 0; }

  std::filesystem::path socket_ = project_.path() / "data/heddle.sock";
};

TEST_F(RemovedSocket, IsReplaced) {
  write_job(2, "schedule = \"manual\"\n");
  RunningDaemon daemon(project_, 1);
  for (int i = 0; i < 2; ++i) {
    std::filesystem::remove(socket_);
    ASSERT_TRUE(eventually([&] { return is_reached(); })) << daemon.log();
  }
  EXPECT_TRUE(daemon.logs("heddle.sock was removed or replaced")) << daemon.log();
  expect({"run", "pages"}, 0, "");
  daemon.signal(SIGTERM);
  EXPECT_EQ(daemon.wait().exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(socket_));
}

TEST_F(RemovedSocket, IsReplacedWhenAnotherSocketHasItsPath) {
  RunningDaemon daemon(project_, 1);
  const auto foreign = ipc::listen_at(socket_);  // accepts no connection
  ASSERT_TRUE(foreign);
  ASSERT_TRUE(daemon.logs("was removed or replaced")) << daemon.log();
  EXPECT_TRUE(eventually([&] { return is_reached(); })) << daemon.log();
}

TEST_F(RemovedSocket, CannotBeCreatedOverAFolder) {
  std::filesystem::create_directories(socket_ / "with");
  expect({"up"}, 1, "heddle.sock: Is a directory");
}

TEST_F(RemovedSocket, IsReportedWithTheOwnerOfTheProjectLock) {
  RunningDaemon daemon(project_, 1);
  daemon.signal(SIGSTOP);
  std::filesystem::remove(socket_);
  const std::string pid = std::to_string(daemon.pid());
  const ProgramResult status =
      expect({"status"}, 3, "heddle (pid " + pid + ") is using this project");
  EXPECT_THAT(status.err, HasSubstr("`kill " + pid + "` ends it"));
  EXPECT_EQ(status.err.find("no daemon is running"), std::string::npos);
  daemon.signal(SIGCONT);
  EXPECT_TRUE(eventually([&] { return is_reached(); })) << daemon.log();
}

TEST_F(RemovedSocket, OfAKilledDaemonIsNotMistakenForADaemon) {
  write_job(1, "schedule = \"manual\"\n");
  expect({"run", "pages"}, 0, "");  // creates the data folder
  auto listening = ipc::listen_at(socket_);
  ASSERT_TRUE(listening);
  std::thread left_over([&] {
    pollfd waiting{listening->get(), POLLIN, 0};
    if (poll(&waiting, 1, 10'000) == 1) close(accept(listening->get(), nullptr, nullptr));
  });
  expect({"status"}, 3, "no daemon is running for this project");
  left_over.join();
}

}  // namespace
}  // namespace heddle::testing

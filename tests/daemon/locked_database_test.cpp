// Another process holds a database lock while the daemon shuts down.
#include <csignal>

#include "tests/daemon/daemon_fixture.hpp"

namespace heddle::testing {
namespace {

using ::testing::HasSubstr;
using namespace std::chrono_literals;

// shutdown_timeout and two seconds; without its deadline the daemon takes ten.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::chrono::seconds kShutdownLimit{6};
#else
constexpr std::chrono::seconds kShutdownLimit{3};
#endif

class LockedDatabase : public DaemonFixture {
 protected:
  void SetUp() override {
    DaemonFixture::SetUp();
    project_.write("heddle.toml", std::string(kQuickRecovery) +
                                      "[network]\nallow = [\"127.0.0.1\"]\n"
                                      "[daemon]\nshutdown_timeout = \"1s\"\n");
  }

  std::unique_ptr<store::Connection> lock_database() {
    auto db = store::Connection::open(project_.database(), {});
    if (!db || !(*db)->execute("BEGIN IMMEDIATE")) return nullptr;
    return std::move(*db);
  }
};

TEST_F(LockedDatabase, DoesNotDelayTheShutdown) {
  constexpr int kPages = 100;
  pause_ = 10ms;
  write_job(kPages, "schedule = \"manual\"\n");
  {
    RunningDaemon daemon(project_, 1);
    RunningHeddle follower(project_.path(), {"run", "pages", "--json"});
    ASSERT_TRUE(eventually([&] { return pages_done() >= 3; })) << daemon.log();
    const auto lock = lock_database();
    ASSERT_TRUE(lock);
    const std::vector<pid_t> children = daemon.children();
    const auto signalled_at = std::chrono::steady_clock::now();
    daemon.signal(SIGTERM);
    EXPECT_EQ(daemon.wait().exit_code, 0) << daemon.log();
    EXPECT_LT(std::chrono::steady_clock::now() - signalled_at, kShutdownLimit) << daemon.log();
    EXPECT_TRUE(exit_within(children, kShutdownLimit));
    EXPECT_THAT(daemon.log(), HasSubstr("the next start continues with what is left"));
  }
  ASSERT_LT(pages_done(), kPages);
  ASSERT_EQ(unfinished_runs(), 1);
  const RunningDaemon next(project_, 1);
  EXPECT_TRUE(eventually([&] { return unfinished_runs() == 0; })) << next.log();
  EXPECT_EQ(pages_done(), kPages);
  EXPECT_EQ(count("SELECT count(*) FROM runs"), 1);
  EXPECT_EQ(count("SELECT count(*) FROM items"), kPages);
}

}  // namespace
}  // namespace heddle::testing

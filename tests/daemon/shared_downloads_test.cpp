// Two jobs that request the same page at the same time download it once.
#include "tests/daemon/daemon_fixture.hpp"

namespace heddle::testing {
namespace {

class SharedDownloadsDaemonTest : public DaemonFixture {
 protected:
  void SetUp() override {
    site_.answer("/shared", html("<li>hello</li>"));
    site_.hold("/shared");
  }

  void write_reader(const std::string& job, const std::string& more = "") {
    project_.write_job(job, "url = \"" + site_.url("/shared") +
                                "\"\nselector = \"li\"\nfields = [\"text:\"]\n"
                                "schedule = \"manual\"\n" +
                                more);
  }

  // Both request it before either has a response.
  void run_both(const RunningDaemon& daemon, std::size_t requests) {
    expect({"trigger", "one"}, 0, "one: ");
    ASSERT_TRUE(site_.wait_for_requests("/shared", 1)) << daemon.log();
    expect({"trigger", "other"}, 0, "other: ");
    ASSERT_TRUE(eventually([&] {
      return count("SELECT count(*) FROM tasks WHERE state = 1") == 2;
    })) << daemon.log();
    ASSERT_TRUE(site_.wait_for_requests("/shared", requests)) << daemon.log();
    site_.release("/shared");
    ASSERT_TRUE(eventually([&] {
      return count("SELECT count(*) FROM runs WHERE state = 'completed'") == 2;
    })) << daemon.log();
  }
};

TEST_F(SharedDownloadsDaemonTest, ServeAllJobsWithEqualRequests) {
  write_reader("one");
  write_reader("other");
  const RunningDaemon daemon(project_, 2);
  run_both(daemon, 1);
  EXPECT_EQ(site_.count("/shared"), 1u);
  EXPECT_EQ(count("SELECT count(DISTINCT job) FROM items"), 2) << "each job has its item";
}

TEST_F(SharedDownloadsDaemonTest, AreNotUsedForDifferentRequests) {
  write_reader("one");
  write_reader("other", "[headers]\nAccept-Language = \"de\"\n");
  const RunningDaemon daemon(project_, 2);
  run_both(daemon, 2);
  EXPECT_EQ(site_.count("/shared"), 2u);
}

TEST_F(SharedDownloadsDaemonTest, AreNotUsedForResponsesWithCookies) {
  site_.answer("/shared", html("<li>hello</li>").with_header("Set-Cookie", "visitor=1"));
  write_reader("one");
  write_reader("other");
  const RunningDaemon daemon(project_, 2);
  run_both(daemon, 1);
  EXPECT_EQ(site_.count("/shared"), 2u);
}

TEST_F(SharedDownloadsDaemonTest, AreRepeatedForAJobThatRunsAgain) {
  write_reader("one");
  write_reader("other");
  const RunningDaemon daemon(project_, 2);
  run_both(daemon, 1);
  expect({"run", "one"}, 0, "");
  EXPECT_EQ(site_.count("/shared"), 2u);
}

}  // namespace
}  // namespace heddle::testing

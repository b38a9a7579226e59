// System alerts, metrics and daily quotas of a real daemon.
#include <mutex>

#include "tests/daemon/daemon_fixture.hpp"

namespace heddle::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

class SystemAlerts : public DaemonFixture {
 protected:
  void SetUp() override {
    DaemonFixture::SetUp();
    site_.handle("/hook", [this](const SiteRequest& request) {
      const std::lock_guard lock(mutex_);
      told_.push_back(request.body);
      return html("thanks");
    });
    project_.write("heddle.toml", std::string(kQuickRecovery) +
                                      "[network]\nallow = [\"127.0.0.1\"]\n"
                                      "[channels.ops]\ntype = \"webhook\"\nurl = \"" +
                                      site_.url("/hook") + "\"\n[alerts]\nto = [\"ops\"]\n");
  }

  std::vector<std::string> notified() {
    const std::lock_guard lock(mutex_);
    return told_;
  }

  std::mutex mutex_;
  std::vector<std::string> told_;
};

TEST_F(SystemAlerts, AreSentOnceAndResolved) {
  pause_ = 50ms;
  write_job(700, "interval = \"365d\"\n[notification]\nenabled = false\n");
  {
    const RunningDaemon daemon(project_, 1);
    ASSERT_TRUE(eventually([&] { return !notified().empty(); })) << daemon.log();
    EXPECT_THAT(notified().front(), HasSubstr(R"("event":"alert.raised")"));
    EXPECT_THAT(notified().front(), HasSubstr(R"("severity":"emergency")"));
    expect({"status"}, 0, "queue_depth (emergency)");
    expect({"metrics"}, 0, "heddle_alerts{level=\"emergency\"} 1\n");
    expect({"cancel", "pages"}, 0, "pages: scheduled");
  }
  EXPECT_EQ(count("SELECT count(*) FROM alerts"), 1) << "kept for the next daemon";
  EXPECT_EQ(notified().size(), 1u);
}

TEST_F(SystemAlerts, AppearInTheMetrics) {
  write_job(3, "schedule = \"manual\"\n");
  const RunningDaemon daemon(project_, 1);
  expect({"run", "pages"}, 0, "");
  const auto metrics = expect({"metrics"}, 0, "heddle_runs_total{state=\"completed\"} 1\n");
  EXPECT_THAT(metrics.out, HasSubstr("heddle_pages_total{outcome=\"done\"} 3\n"));
  EXPECT_THAT(metrics.out, HasSubstr("heddle_worker_deaths_total 0\n"));
  expect({"metrics", "--json"}, 0, R"({"format":"prometheus","text":"# HELP)");
  expect({"show", "pages"}, 0, "new or changed items in 1 of 1 run");
}

TEST_F(SystemAlerts, NeedADaemonForMetrics) {
  write_job(1);
  expect({"metrics"}, 3, "no daemon is running");
}

TEST_F(SystemAlerts, LeaveAJobOverItsDailyQuotaWaiting) {
  write_job(2, "schedule = \"manual\"\n[limits]\nruns_per_day = 1\n");
  const RunningDaemon daemon(project_, 1);
  expect({"run", "pages"}, 0, "");
  ASSERT_TRUE(eventually([&] {
    return project_.heddle({"show", "pages"}).out.find("paused (quota)") != std::string::npos;
  })) << daemon.log();
  expect({"trigger", "pages"}, 1, "quota");
}

}  // namespace
}  // namespace heddle::testing

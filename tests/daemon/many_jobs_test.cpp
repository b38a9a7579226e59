// Bulk actions on a project with thousands of jobs.
#include "tests/daemon/settings_fixture.hpp"

namespace heddle::testing {
namespace {

constexpr int kJobs = 3000;

class ManyJobs : public SettingsFixture {
 protected:
  void SetUp() override {
    SettingsFixture::SetUp();
    std::string jobs;
    for (int i = 0; i < kJobs; ++i)
      jobs += "[[jobs]]\nname = \"job" + std::to_string(i) + "\"\nurl = \"" + site_.url("/page") +
              "\"\nselector = \"li\"\nfields = [\"text:\"]\n";
    project_.write("jobs.toml", jobs);
  }
  std::int64_t jobs_in(const std::string& state) {
    const ProgramResult listed = project_.heddle({"jobs", "--state", state, "--json"});
    return static_cast<std::int64_t>(boost::json::parse(listed.out).as_array().size());
  }
};

TEST_F(ManyJobs, ArePausedResumedAndStoppedByOneCommandEach) {
  const RunningDaemon daemon(project_, 1);
  expect({"pause", "--all"}, 0, "job2999: paused");
  EXPECT_EQ(jobs_in("paused"), kJobs);
  expect({"resume", "--all"}, 0, "job2999: scheduled");
  expect({"stop", "--all", "--now"}, 0, "job2999: stopped");
  EXPECT_EQ(jobs_in("stopped"), kJobs);
}

TEST_F(ManyJobs, AreStoppedWithoutADaemon) {
  expect({"stop", "--all"}, 0, "job2999: stopped");
  EXPECT_EQ(jobs_in("stopped"), kJobs);
}

}  // namespace
}  // namespace heddle::testing

// What the program says about jobs that are not there, and what would refuse to run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/program/project_folder.hpp"
#include "tests/program/running_daemon.hpp"

namespace heddle::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kPage =
    "url = \"https://example.com/\"\nselector = \"li\"\nschedule = \"manual\"\n";

TEST(MissingJobs, AreExplainedByAFileWithTheWrongName) {
  const ProjectFolder project;
  project.write_job("shop", kPage);
  project.write("jobs/c/job.toml", "name = \"c\"\n");
  const char* file = "jobs/c/job.toml";
  const ProgramResult check = project.heddle({"check"});
  EXPECT_EQ(check.exit_code, 0);
  EXPECT_THAT(check.out, AllOf(HasSubstr(file), HasSubstr("config.toml; rename this file")));
  EXPECT_THAT(project.heddle({"run", "c"}).err,
              HasSubstr("there is no job 'c': jobs/c/job.toml is not read"));
  EXPECT_THAT(project.heddle({"jobs"}).err, HasSubstr(file));
  const RunningDaemon daemon(project, 1);
  EXPECT_TRUE(daemon.logs(file)) << daemon.log();
  project.write("jobs/d/config.tml", "name = \"d\"\n");
  EXPECT_TRUE(daemon.logs("jobs/d/config.tml: warning: is not read")) << daemon.log();
  EXPECT_THAT(project.heddle({"reload"}).err, HasSubstr("jobs/d/config.tml"));
}

TEST(MissingJobs, AreExplainedByABrokenFile) {
  const ProjectFolder project;
  project.write_job("shop", kPage);
  project.write("jobs/tea/config.toml", "name = \"Tea\nurl = \"x\"\n");
  EXPECT_THAT(
      project.heddle({"run", "shopp"}).err,
      AllOf(HasSubstr("did you mean 'shop'?"), HasSubstr("jobs/tea/config.toml:1: not TOML")));
  EXPECT_THAT(project.heddle({"records", "x"}).err,
              AllOf(HasSubstr("jobs are: shop\n"), HasSubstr("jobs/tea/config.toml:1")));
  EXPECT_THAT(project.heddle({"jobs"}).err, HasSubstr("jobs/tea/config.toml:1: not TOML"));
}

TEST(MissingJobs, AreNoticedByADaemonWithoutAny) {
  const ProjectFolder project;
  EXPECT_THAT(project.heddle({"jobs"}).out, HasSubstr("the project has no jobs yet"));
  const RunningDaemon daemon(project, 1);
  EXPECT_TRUE(daemon.logs("has no jobs, so nothing will run: `heddle add URL` writes one"))
      << daemon.log();
}

TEST(MissingDaemon, IsSaidInsteadOfANextRun) {
  const ProjectFolder project;
  project.write_job(
      "shop",
      "url = \"http://127.0.0.1:1/\"\nselector = \"li\"\ninterval = \"1h\"\nretry.max = 0\n");
  project.heddle({"run", "shop"});
  EXPECT_THAT(
      project.heddle({"jobs"}).out,
      AllOf(HasSubstr("no daemon is running, so no job starts by itself: `heddle up` starts one"),
            Not(HasSubstr("now")), Not(HasSubstr(" in "))));
  EXPECT_THAT(project.heddle({"show", "shop"}).out,
              HasSubstr("not before `heddle up`: no daemon is running"));
}

// What `run` refuses to begin is an error of `check`.
TEST(Check, RefusesWhatRunRefuses) {
  const std::vector<std::string> jobs{
      std::string(kPage) + "render = \"browser\"\n",
      "selector = \"li\"\n",
      std::string(kPage) + "notify = [\"nowhere\"]\n",
      "kind = \"command\"\nargs = [\"./missing.sh\"]\n",
      "kind = \"command\"\nargs = [\"no-such-program-at-all\"]\n",
      "kind = \"command\"\ncommand = \"true\"\nwork_dir = \"nowhere\"\n",
      "kind = \"command\"\ncommand = \"true\"\n[[hooks.pre_start]]\nname = \"x\"\n"
      "args = [\"./missing.sh\"]\n"};
  for (const std::string& job : jobs) {
    const ProjectFolder project;
    project.write_job("shop", job);
    const ProgramResult check = project.heddle({"check"});
    EXPECT_EQ(check.exit_code, 1) << job << check.out;
    EXPECT_THAT(check.out, HasSubstr("jobs/shop/config.toml:")) << job;
    EXPECT_NE(project.heddle({"run", "shop"}).exit_code, 0) << job;
  }
}

TEST(Check, RefusesAStoreThatIsNotAvailable) {
  for (const char* line : {"store = \"postgres://h/db\"\n", "queue = \"amqp://h\"\n"}) {
    const ProjectFolder project;
    project.write("heddle.toml", line);
    project.write_job("shop", kPage);
    EXPECT_EQ(project.heddle({"check"}).exit_code, 1) << line;
    EXPECT_NE(project.heddle({"run", "shop"}).exit_code, 0) << line;
  }
}

TEST(Check, WarnsOfAScriptThatOnlyMentionsItsExtraction) {
  const ProjectFolder project;
  project.write_job("shop", "url = \"https://example.com/\"\nschedule = \"manual\"\n");
  project.write("jobs/shop/hooks.lua", "-- override_extract would help\n");
  const ProgramResult check = project.heddle({"check"});
  EXPECT_EQ(check.exit_code, 0);
  EXPECT_NE(check.out.find("no script of the job defines override_extract"), std::string::npos);
}

}  // namespace
}  // namespace heddle::testing

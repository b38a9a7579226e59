// JSON of what a daemon answers to actions on jobs.
#include <csignal>
#include <string>

#include "tests/golden/interface_fixture.hpp"
#include "tests/program/running_daemon.hpp"
#include "tests/support/processes.hpp"

namespace heddle::testing {
namespace {

namespace json = boost::json;

std::string state_of_job(const ProjectFolder& project, const std::string& job) {
  return std::string(project.heddle_json({"show", job}).at("state").as_string());
}

// A job may be scheduled again while its cancelled run still ends.
bool is_idle(const ProjectFolder& project, const std::string& job) {
  return project.heddle_json({"show", job}).at("current_run").is_null();
}

TEST_F(Interface, KeepsTheJsonOfJobActions) {
  write_settings("[limits]\nruns_in_parallel = 1\n");
  site_.answer("/held", html("<li>one</li>"));
  site_.answer("/open", html("<li>two</li>"));
  site_.hold("/held");
  project_.write_job("pages", "urls = [\"" + site_.url("/held") + "\", \"" + site_.url("/open") +
                                  "\"]\nselector = \"li\"\n");
  project_.write_job("second", "url = \"" + site_.url("/open") + "\"\nselector = \"li\"\n");
  // The shell stays the program (`exit` keeps it from executing `sleep` in its place): a signal
  // that arrives within an exec is overtaken by the kill that follows it.
  project_.write_job("program",
                     "kind = \"command\"\ncommand = \"echo up > started; sleep 600; exit\"\n");
  const auto program_starts = [&] {
    const std::filesystem::path mark = project_.path() / "jobs/program/started";
    EXPECT_TRUE(eventually([&] { return read_file(mark) == "up\n"; }));
    std::filesystem::remove(mark);
  };
  RunningDaemon daemon(project_, 1);
  const auto becomes = [&](const std::string& state, const std::string& job = "pages") {
    EXPECT_TRUE(eventually([&] { return state_of_job(project_, job) == state; }))
        << job << " is not " << state << "\n"
        << daemon.log();
  };
  const auto becomes_idle = [&](const std::string& job = "pages") {
    EXPECT_TRUE(eventually([&] { return is_idle(project_, job); })) << daemon.log();
  };
  record("trigger", {"trigger", "pages"});
  ASSERT_TRUE(site_.wait_for_requests("/held", 1)) << daemon.log();
  record("trigger", {"trigger", "pages"}, "within its run");
  record("trigger", {"trigger", "second"}, "no slot is free");
  record("show", {"show", "second"}, "it waits for a slot");
  record("cancel", {"cancel", "second"}, "it waits for a slot");
  record("delete", {"delete", "pages", "--yes"}, "within its run");
  record("pause", {"pause", "pages"}, "within its run");
  site_.release("/held");
  ASSERT_TRUE(eventually([&] {
    const json::value shown = project_.heddle_json({"show", "pages"});
    return shown.at("current_run").at("state") == "paused";
  })) << daemon.log();
  record("show", {"show", "pages"}, "paused within its run");
  record("run", {"run", "pages"}, "it is paused");
  record("dead-retry", {"dead", "retry", "--all"}, "there are none");
  record("resume", {"resume", "pages"});
  becomes_idle();
  becomes("scheduled");
  record("show", {"show", "pages"}, "after the run");

  record("trigger", {"trigger", "program"});
  becomes("running", "program");
  program_starts();
  record("cancel", {"cancel", "program"}, "within its run");
  becomes_idle("program");
  record("show", {"show", "program"}, "its run was cancelled");
  record("trigger", {"trigger", "program"});
  becomes("running", "program");
  program_starts();
  record("stop", {"stop", "program", "--now"}, "within its run");
  becomes("stopped", "program");
  record("show", {"show", "program"}, "it was stopped");
  record("start", {"start", "program"});
  record("archive", {"archive", "program", "second"}, "one after the other");
  record("stop", {"stop", "--all"});
  record("delete", {"delete", "--all", "--yes"});
  daemon.signal(SIGTERM);
  EXPECT_EQ(daemon.wait().exit_code, 0);
  expect_documents("json/actions");
}

}  // namespace
}  // namespace heddle::testing

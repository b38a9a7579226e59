// JSON of a daemon that is at work, and of the jobs it works on.
#include <csignal>
#include <string>

#include "tests/golden/database.hpp"
#include "tests/golden/interface_fixture.hpp"
#include "tests/program/running_daemon.hpp"
#include "tests/support/processes.hpp"

namespace heddle::testing {
namespace {

namespace json = boost::json;

json::value shown_job(const ProjectFolder& project, const std::string& job) {
  return project.heddle_json({"show", job});
}

bool has_ended_run(const ProjectFolder& project, const std::string& job) {
  const json::value shown = shown_job(project, job);
  return shown.at("current_run").is_null() && !shown.at("last_run").is_null() &&
         shown.at("state") == "scheduled";
}

bool is_service_ready(const ProjectFolder& project, const std::string& job) {
  const json::value shown = shown_job(project, job);
  const json::array& conditions = shown.at("programs").at("conditions").as_array();
  const json::array& hooks = shown.at("programs").at("hooks").as_array();
  return !conditions.empty() && conditions[0].at("reason") == "ready" && !hooks.empty() &&
         hooks[0].at("state") == "succeeded";
}

TEST_F(Interface, KeepsTheJsonOfADaemonAtWork) {
  write_settings("[limits]\nstorage = \"1GB\"\n");
  site_.answer("/held", html("<li>one</li>"));
  site_.answer("/open", html("<li>two</li>"));
  site_.hold("/held");
  project_.write_job("pages", "urls = [\"" + site_.url("/held") + "\", \"" + site_.url("/open") +
                                  "\"]\nselector = \"li\"\n");
  project_.write_job("serves",
                     "kind = \"service\"\ncommand = \"echo up; exec sleep 600\"\n"
                     "[[hooks.post_start]]\nname = \"tell\"\ncommand = \"echo ready\"\n");
  project_.write_job(
      "timed", "url = \"" + site_.url("/open") + "\"\nselector = \"li\"\ninterval = \"1h\"\n");
  project_.write_job("fails", "kind = \"command\"\ncommand = \"exit 1\"\nalert_after = 1\n");
  project_.heddle({"pause", "pages"});  // makes the database
  execute_sql(project_.database(),
              "INSERT INTO alerts VALUES ('queue_age', 'warning', 'a run waits', 1)");
  RunningDaemon daemon(project_, 1);
  ASSERT_TRUE(eventually([&] { return has_ended_run(project_, "timed"); })) << daemon.log();
  ASSERT_TRUE(eventually([&] { return is_service_ready(project_, "serves"); })) << daemon.log();
  record("run", {"run", "fails"}, "in the daemon");
  record("trigger", {"trigger", "pages"});
  ASSERT_TRUE(site_.wait_for_requests("/held", 1)) << daemon.log();

  record("status", {"status"});
  record("workers", {"workers"});
  record("jobs", {"jobs"});
  record("show", {"show", "pages"}, "within a run");
  record("show", {"show", "serves"}, "a service that is ready");
  record("show", {"show", "timed"}, "with a next run");
  const ProgramResult runs = record("runs", {"runs", "pages"}, "within a run");
  record("run-trace",
         {"run-trace", std::string(json::parse(runs.out).at(0).at("run_id").as_string())},
         "within the run");
  record("metrics", {"metrics"});
  record("doctor", {"doctor"}, "beside the daemon");
  record("restore", {"restore", (project_.path() / "copy").string()}, "beside the daemon");
  site_.release("/held");
  ASSERT_TRUE(eventually([&] { return has_ended_run(project_, "pages"); })) << daemon.log();
  record("run", {"run", "pages"}, "in the daemon");

  record("workers-restart", {"workers", "restart", "99"}, "a slot that does not exist");
  record("workers-restart", {"workers", "restart", "1"});
  normaliser_.vary("bytes");
  record("backup", {"backup", (project_.path() / "copy").string()}, "beside the daemon");
  record("down", {"down"});
  record("down", {"down"}, "without a daemon");
  EXPECT_EQ(daemon.wait().exit_code, 0);
  expect_documents("json/daemon");
}

TEST_F(Interface, KeepsTheJsonOfReloads) {
  const auto write = [this](const std::string& job, const std::string& more = "") {
    project_.write_job(job, "url = \"" + site_.url("/") + "\"\nselector = \"li\"\n" + more);
  };
  write("same");
  write("changes");
  write("goes");
  write("breaks");
  RunningDaemon daemon(project_, 1);
  record("reload", {"reload"}, "nothing has changed");
  write("comes");
  write("changes", "timeout = \"7s\"\n");
  write("breaks", "timeout = \"soon\"\n");
  std::filesystem::remove_all(project_.path() / "jobs" / "goes");
  write_settings("[limits]\nper_host = 7\n");
  record("reload", {"reload", "--dry-run"});
  record("reload", {"reload"});
  record("jobs", {"jobs"}, "after the reload");
  write_settings("[limits]\nper_host = 7\n", "data_dir = \"elsewhere\"\n");
  record("reload", {"reload"}, "a setting for the next start");
  project_.write("heddle.toml", "colour = \"red\"\n");
  record("reload", {"reload"}, "a mistake in heddle.toml");
  daemon.signal(SIGTERM);
  EXPECT_EQ(daemon.wait().exit_code, 0);
  expect_documents("json/reload");
}

}  // namespace
}  // namespace heddle::testing

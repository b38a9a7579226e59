// The exit status of command lines, which scripts and init systems go by.
#include <csignal>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/golden/interface_fixture.hpp"
#include "tests/program/running_daemon.hpp"
#include "tests/support/processes.hpp"

namespace heddle::testing {
namespace {

// Lines such as "2  heddle run".
class ExitTable {
 public:
  explicit ExitTable(const ProjectFolder& project) : project_(project) {}

  void section(const std::string& situation) {
    text_ += fmt::format("{}{}\n", text_.empty() ? "" : "\n", situation);
  }
  void run(std::vector<std::string> arguments) {
    const std::string line = fmt::format("heddle {}", fmt::join(arguments, " "));
    add(project_.heddle(std::move(arguments)), line);
  }
  void add(const ProgramResult& result, const std::string& line) {
    text_ += result.signal == 0 ? fmt::format("  {}  {}\n", result.exit_code, line)
                                : fmt::format("  signal {}  {}\n", result.signal, line);
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  const ProjectFolder& project_;
  std::string text_;
};

void write_jobs(const ProjectFolder& project, const TestSite& site) {
  const std::string good = "url = \"" + site.url("/good") + "\"\nselector = \"li\"\n";
  project.write_job("good", good);
  project.write("jobs/good/tests.lua", "function test_it() end\n");
  project.write_job("bad", "url = \"" + site.url("/bad") + "\"\nselector = \"li\"\n");
  project.write("jobs/bad/tests.lua", "function test_it() error('no') end\n");
  project.write_job("limited", "urls = [\"" + site.url("/good") + "\", \"" + site.url("/two") +
                                   "\"]\nselector = \"li\"\n[limits]\npages_per_run = 1\n");
  project.write_job("half", "urls = [\"" + site.url("/good") + "\", \"" + site.url("/bad") +
                                "\"]\nselector = \"li\"\n");
  project.write_job("off", good + "enabled = false\n");
  project.write_job("exits", "kind = \"command\"\ncommand = \"exit 42\"\n");
  project.write_job("held", "url = \"" + site.url("/held") + "\"\nselector = \"li\"\n");
}

void add_wrong_usage(ExitTable& table) {
  table.section("wrong usage");
  table.run({});
  table.run({"chekc"});
  table.run({"run"});
  table.run({"run", "good", "--fast"});
  table.run({"add"});
  table.run({"add", "ftp://shop.example/", "--yes"});
  table.run({"jobs", "--state", "sleepy"});
  table.run({"trigger"});
  table.run({"trigger", "good", "--all"});
  table.run({"delete", "good"});
  table.run({"dead"});
  table.run({"dead", "retry"});
  table.run({"dead", "show", "first"});
  table.run({"dead", "show", "0401"});
  table.run({"dead", "purge", ""});
  table.run({"dead", "list", "--limit", "010"});
  table.run({"records", "good", "--since", "soon"});
  table.run({"records", "good", "--format", "xml"});
  table.run({"records", "good", "--format", "csv", "--json"});
  table.run({"records", "good", "--limit", "-1"});
  table.run({"doctor", "--start-empty"});
  table.run({"up", "--processes", "many"});
  table.run({"config"});
  table.run({"explain"});
  table.run({"workers", "restart"});
}

void add_without_daemon(ExitTable& table) {
  table.section("no daemon is up");
  for (const char* command : {"status", "metrics", "workers", "reload"}) table.run({command});
  table.run({"workers", "restart", "1"});
  table.run({"reload", "--dry-run"});
}

void add_unknown(ExitTable& table) {
  table.section("jobs, runs, letters and keys that do not exist");
  for (const char* command : {"check", "run", "debug", "show", "runs", "records", "logs", "test",
                              "trigger", "pause", "resume", "cancel", "stop", "start", "archive"})
    table.run({command, "nothing"});
  table.run({"config", "show", "nothing"});
  table.run({"delete", "nothing", "--yes"});
  table.run({"run-trace", "nothing"});
  table.run({"dead", "list", "nothing"});
  table.run({"dead", "show", "4711"});
  table.run({"dead", "retry", "4711"});
  table.run({"dead", "purge", "4711"});
  table.run({"explain", "nothing"});
  table.run({"restore", "nothing"});
}

void add_done(ExitTable& table, const ProjectFolder& project) {
  table.section("what can be done in any project");
  table.run({"--help"});
  table.run({"--version"});
  table.run({"version"});
  table.run({"check", "good"});
  table.run({"explain", "limits"});
  table.run({"config", "show", "good"});
  table.run({"types"});
  table.add(project.heddle({"init", (project.path() / "new").string()}), "heddle init new");
  table.add(project.heddle({"init", (project.path() / "new").string()}),
            "heddle init new, where it is already");
  table.run({"demo", "--rounds", "1", "--pause", "0"});
  for (const char* command : {"jobs", "doctor"}) table.run({command});
  for (const char* command : {"show", "runs", "records", "changes", "logs"}) table.run({command, "good"});
  table.run({"dead", "list"});
  table.add(run_heddle_into("/dev/full", project.path(), {"version"}),
            "heddle version > /dev/full");
}

void add_work(ExitTable& table) {
  table.section("work that succeeds or fails");
  table.run({"run", "good"});
  table.run({"run", "good", "--json"});
  table.run({"run", "bad"});
  table.run({"run", "bad", "--json"});
  table.run({"run", "half"});
  table.run({"run", "limited"});
  table.run({"run", "off"});
  table.run({"run", "exits"});
  table.run({"debug", "good"});
  table.run({"debug", "bad"});
  table.run({"debug", "off"});
  table.run({"test", "good"});
  table.run({"test", "good", "other"});
  table.run({"test", "limited"});
  table.run({"test"});
  table.run({"dead", "retry", "--all"});
  table.run({"dead", "purge", "--all"});
  table.run({"trigger", "good"});
  table.run({"cancel", "good"});
  table.run({"cancel", "good"});
  table.run({"pause", "good"});
  table.run({"run", "good"});
  table.run({"resume", "good"});
  table.run({"stop", "good"});
  table.run({"run", "good"});
  table.run({"start", "good"});
  table.run({"archive", "good"});
  table.run({"delete", "good", "--yes"});
}

// Returns when its page is being fetched.
std::unique_ptr<RunningHeddle> run_held_page(const ProjectFolder& project, TestSite& site) {
  site.hold("/held");
  const std::size_t before = site.count("/held");
  auto run =
      std::make_unique<RunningHeddle>(project.path(), std::vector<std::string>{"run", "held"});
  EXPECT_TRUE(site.wait_for_requests("/held", before + 1));
  return run;
}

void add_interrupted(ExitTable& table, const ProjectFolder& project, TestSite& site) {
  table.section("interrupted");
  for (const int number : {SIGINT, SIGTERM}) {
    const auto run = run_held_page(project, site);
    run->signal(number);
    run->wait_for_lines("finishing the pages in flight", 1);
    site.release("/held");
    table.add(run->wait(), fmt::format("heddle run held, signal {}", number));
  }
  const auto run = run_held_page(project, site);
  run->signal(SIGINT);
  run->signal(SIGTERM);
  table.add(run->wait(), "heddle run held, two signals");
  site.release("/held");
}

TEST_F(Interface, KeepsTheExitCodes) {
  site_.answer("/good", html("<li>one</li>"));
  site_.answer("/two", html("<li>two</li>"));
  site_.answer("/held", html("<li>three</li>"));
  write_jobs(project_, site_);
  ExitTable table(project_);
  add_done(table, project_);
  add_wrong_usage(table);
  add_without_daemon(table);
  add_unknown(table);
  add_work(table);
  add_interrupted(table, project_, site_);

  table.add(project_.heddle({"backup", (project_.path() / "copy").string()}), "heddle backup copy");
  table.add(project_.heddle({"restore", (project_.path() / "copy").string()}),
            "heddle restore copy");

  table.section("no project");
  for (const char* command : {"check", "jobs", "status", "up"})
    table.add(run_heddle(project_.path() / "nowhere", {command}),
              fmt::format("heddle --project nowhere {}", command));

  table.section("a daemon is up");
  {
    RunningDaemon daemon(project_, 1);
    for (const char* command : {"status", "metrics", "workers", "reload", "jobs"})
      table.run({command});
    table.run({"workers", "restart", "1"});
    table.run({"workers", "restart", "99"});
    table.run({"up"});
    table.run({"run", "bad"});
    table.run({"run", "limited"});
    table.run({"trigger", "held"});
    table.run({"restore", "nothing"});
    daemon.signal(SIGTERM);
    table.add(daemon.wait(), "heddle up, signal 15");
  }

  table.section("a job with mistakes");
  project_.write_job("wrong", "url = \"no address\"\n");
  table.run({"check"});
  table.run({"check", "half"});
  table.run({"run", "wrong"});
  table.run({"run", "half"});

  table.section("a heddle.toml with mistakes");
  project_.write("heddle.toml", "colour = \"red\"\n");
  for (const char* command : {"check", "up", "jobs", "doctor"}) table.run({command});
  table.run({"run", "half"});
  table.run({"show", "half"});
  expect_golden("exit_codes.txt", table.text());
}

}  // namespace
}  // namespace heddle::testing

// What the daemon logs, and how `heddle logs` and `heddle run` show it.
#include <csignal>
#include <sstream>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <sys/stat.h>

#include "tests/daemon/command_fixture.hpp"

namespace heddle::testing {
namespace {

namespace json = boost::json;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kTime = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z ";

class Logs : public CommandJobs {
 protected:
  [[nodiscard]] std::string daemon_log() const {
    return read_file(project_.path() / "data" / "daemon.log");
  }
  static std::vector<json::value> objects(const std::string& text) {
    std::vector<json::value> found;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) found.push_back(json::parse(line));
    return found;
  }
  static bool has_text(const std::vector<json::value>& lines, std::string_view text) {
    return std::any_of(lines.begin(), lines.end(), [text](const json::value& line) {
      return line.at("text").as_string().find(text) != json::string::npos;
    });
  }
};

// `heddle … | head -1`, while nothing more is written.
TEST_F(Logs, EndWhenTheyAreNotReadAnyMore) {
  const auto ends = [this](const std::string& arguments) {
    const std::string line = "timeout 60 sh -c '" + heddle_program().string() + " --project " +
                             project_.path().string() + " " + arguments +
                             " 2>/dev/null | head -n 1' >/dev/null";
    return std::system(line.c_str()) == 0;
  };
  command("echo first; echo second; exec sleep 600", "", "service");
  EXPECT_TRUE(ends("run work"));
  RunningDaemon daemon(project_, 1);
  ASSERT_TRUE(eventually([&] { return state() == "running"; })) << daemon.log();
  for (const std::string arguments : {"logs -f", "logs work -f", "logs -f --json"})
    EXPECT_TRUE(ends(arguments)) << arguments;
}

TEST_F(Logs, OfTheDaemonHaveTimesAndAFile) {
  command("true");
  {
    RunningDaemon daemon(project_, 1);
    EXPECT_TRUE(daemon.logs("started: 1 worker, 1 job, pid "));
    EXPECT_THAT(daemon.log(), ContainsRegex(std::string(kTime) + "started: 1 worker, 1 job"));
    daemon.signal(SIGTERM);
    EXPECT_EQ(daemon.wait().exit_code, 0);
  }
  EXPECT_THAT(daemon_log(), AllOf(ContainsRegex(std::string(kTime) + "started: 1 worker, 1 job"),
                                  HasSubstr("Z shutting down")));
  struct stat facts {};
  ASSERT_EQ(stat((project_.path() / "data" / "daemon.log").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777U, 0600U);
}

TEST_F(Logs, HaveNoTimesWhereTheJournalAddsThem) {
  command("true");
  const auto file = project_.path() / "up.err";
  project_.write("up.err", "");
  struct stat facts {};
  ASSERT_EQ(stat(file.c_str(), &facts), 0);
  const std::string stream = fmt::format("{}:{}", facts.st_dev, facts.st_ino);
  setenv("JOURNAL_STREAM", stream.c_str(), 1);
  const RunningDaemon daemon(project_, 1);
  unsetenv("JOURNAL_STREAM");
  EXPECT_TRUE(daemon.logs("started: 1 worker"));
  EXPECT_THAT(daemon.log(), Not(ContainsRegex(kTime)));
}

TEST_F(Logs, AreJsonFromTheMomentOfASetting) {
  command("true");
  const std::string settings = read_file(project_.path() / "heddle.toml");
  const RunningDaemon daemon(project_, 1);
  project_.write("heddle.toml", settings + "[log]\nformat = \"json\"\n");
  expect({"reload"}, 0, "setting: log.format: \"text\" -> \"json\"");
  project_.write("heddle.toml", settings + "[log]\nformat = \"json\"\nkeep = 7\n");
  expect({"reload"}, 0, "setting: log.keep");
  ASSERT_TRUE(daemon.logs("{\"time\":"));
  ASSERT_TRUE(eventually([&] {  // a thread of its own writes the log
    return daemon_log().find("\"level\":\"info\",\"message\":\"heddle.toml: log.keep") !=
           std::string::npos;
  })) << daemon_log();
  // Lines of both formats are read.
  const json::value shown = project_.heddle_json({"logs"});
  const json::array& lines = shown.as_array();
  const auto of_daemon = std::count_if(lines.begin(), lines.end(), [](const json::value& line) {
    return line.at("source") == "daemon" && line.at("level") == "info" &&
           line.at("text").as_string().find("{") != 0;
  });
  EXPECT_GE(of_daemon, 2) << json::serialize(lines);
}

TEST_F(Logs, OfTheDaemonAndAllJobsAreMergedByTime) {
  command("echo of the program");
  project_.write_job("other", "kind = \"command\"\ncommand = \"echo second\"\n");
  expect({"run", "work"}, 0, "completed");
  expect({"run", "other"}, 0, "completed");
  { const RunningDaemon daemon(project_, 1); }
  const ProgramResult all = project_.heddle({"logs"});
  EXPECT_EQ(all.exit_code, 0) << all.err;
  const auto place = [&all](const char* text) { return all.out.find(text); };
  EXPECT_LT(place("work: "), place("of the program"));
  EXPECT_LT(place("of the program"), place("other: "));
  EXPECT_LT(place("second"), place("daemon: started"));
  EXPECT_NE(place("daemon: started"), std::string::npos) << all.out;
  EXPECT_THAT(all.err, HasSubstr("times: "));
}

TEST_F(Logs, AreFollowedAsJsonLines) {
  command("echo of the program");
  RunningHeddle follower(project_.path(), {"logs", "-f", "--json"}, project_.path() / "lines");
  const auto lines = [this] { return read_file(project_.path() / "lines"); };
  expect({"run", "work"}, 0, "completed");
  const auto has_line = [&](const char* text) { return lines().find(text) != std::string::npos; };
  ASSERT_TRUE(eventually([&] { return has_line("of the program") && has_line("completed"); }))
      << lines();
  const auto read = objects(lines().substr(0, lines().rfind('\n') + 1));
  EXPECT_TRUE(has_text(read, "started, trigger")) << lines();
  const auto program = std::find_if(read.begin(), read.end(), [](const json::value& line) {
    return line.at("source") == "program";
  });
  ASSERT_NE(program, read.end());
  EXPECT_EQ(program->at("job_id"), "work");
  EXPECT_FALSE(program->at("run_id").as_string().empty());
  follower.signal(SIGTERM);
}

TEST_F(Logs, OfAQuietRunHaveOnlyErrors) {
  command("echo fine; test -e ready || { echo broken >&2; exit 3; }");
  const ProgramResult failed = project_.heddle({"run", "work", "-q"});
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_THAT(failed.out, IsEmpty());
  EXPECT_THAT(failed.err, AllOf(HasSubstr("broken\n"), HasSubstr("work: failed"),
                                HasSubstr("exit code 3"), Not(HasSubstr("fine"))));
  project_.write("jobs/work/ready", "");
  const ProgramResult done = project_.heddle({"run", "work", "--quiet"});
  EXPECT_EQ(done.exit_code, 0);
  EXPECT_THAT(done.out + done.err, IsEmpty());
}

TEST_F(Logs, LeaveTheExitCodeOfAProgramToRun) {
  command("exit 42");
  EXPECT_EQ(project_.heddle({"run", "work", "--exit-code"}).exit_code, 42);
  command("kill -TERM $$");
  EXPECT_EQ(project_.heddle({"run", "work", "--exit-code", "-q"}).exit_code, 128 + SIGTERM);
  command("true");
  EXPECT_EQ(project_.heddle({"run", "work", "--exit-code"}).exit_code, 0);
  command("true", hook("pre_start", "first", "exit 9"));
  EXPECT_EQ(project_.heddle({"run", "work", "--exit-code"}).exit_code, 1);  // it did not start
  write_job(1);
  const ProgramResult refused = project_.heddle({"run", "pages", "--exit-code"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--exit-code is for jobs of kind \"command\""));
}

}  // namespace
}  // namespace heddle::testing

// JSON of runs of programs: commands, hooks, what they print and how they end.
#include <string>

#include "tests/golden/interface_fixture.hpp"

namespace heddle::testing {
namespace {

std::string command_job(std::string_view line, std::string_view more = "") {
  return "kind = \"command\"\ncommand = '''" + std::string(line) + "'''\n" + std::string(more);
}

std::string hook_of(std::string_view phase, std::string_view name, std::string_view line,
                    std::string_view more = "") {
  return "[[hooks." + std::string(phase) + "]]\nname = \"" + std::string(name) +
         "\"\ncommand = '''" + std::string(line) + "'''\n" + std::string(more);
}

TEST_F(Interface, KeepsTheJsonOfPrograms) {
  project_.write_job(
      "works",
      command_job("[ $HEDDLE_INDEX = 0 ] && echo done || echo aside >&2", "completions = 2\n") +
          hook_of("pre_start", "prepare", "echo prepared") +
          hook_of("post_stop", "tidy", "echo tidy; exit 7", "failure = \"ignore\"\n"));
  project_.write_job("fails",
                     command_job("exit 3", "restart = \"on_failure\"\nbackoff_limit = 1\n") +
                         hook_of("pre_start", "shaky", "[ $HEDDLE_ATTEMPT = 2 ]",
                                 "failure = \"retry\"\nretry_delay = \"0s\"\n"));
  project_.write_job("late", command_job("sleep 600", "deadline = \"2s\"\n"));
  project_.write_job("unprepared", command_job("true") +
                                       hook_of("pre_start", "bad", "echo no way; exit 1") +
                                       hook_of("post_stop", "whatever", "true", "always = true\n"));
  project_.write_job("killed", command_job("kill -USR1 $$"));
  for (const char* job : {"works", "fails", "late", "unprepared", "killed"}) {
    const ProgramResult run = record("run", {"run", job});
    record("show", {"show", job});
    record("runs", {"runs", job});
    record("logs", {"logs", job});
    record("run-trace",
           {"run-trace", std::string(boost::json::parse(run.out).at("run_id").as_string())});
  }
  record("debug", {"debug", "works"}, "a job without pages");
  expect_documents("json/programs");
}

}  // namespace
}  // namespace heddle::testing

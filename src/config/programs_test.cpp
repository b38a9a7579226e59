// The configuration of command jobs, services and hooks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "config/project_for_test.hpp"

namespace heddle::config {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

// A command job in jobs/a/config.toml that is valid except for the added lines.
std::string command_job(std::string_view more) {
  return "name = \"a\"\nkind = \"command\"\n" + std::string(more);
}

Job job_of(const std::string& text) {
  ProjectForTest project;
  const Loaded loaded = project.write("jobs/a/config.toml", text).load();
  EXPECT_THAT(ProjectForTest::texts(loaded.problems), IsEmpty());
  return loaded.project.jobs.empty() ? Job{} : loaded.project.jobs.front();
}

std::vector<std::string> problems_of(const std::string& text) {
  ProjectForTest project;
  return project.write("jobs/a/config.toml", text).problem_texts();
}

TEST(ProgramConfig, MakesACommandJobThatRunsOnDemand) {
  const Job job = job_of(command_job("command = \"echo hello\"\n"));
  EXPECT_EQ(job.kind, JobKind::command);
  EXPECT_EQ(job.program.line.command, "echo hello");
  EXPECT_EQ(job.interval, std::nullopt);
  EXPECT_EQ(job.schedule, "");
  EXPECT_EQ(job.program.parallelism, 1);
  EXPECT_EQ(job.program.completions, 1);
  EXPECT_EQ(job.program.restart, RestartRule::never);
  EXPECT_EQ(job.program.backoff_limit, 6);
  EXPECT_EQ(job.program.deadline, std::nullopt);
  EXPECT_EQ(job.program.stop_signal, SIGTERM);
  EXPECT_EQ(job.program.home, job.directory);
}

TEST(ProgramConfig, ReadsEveryKeyOfACommand) {
  const Job job = job_of(command_job(R"(args = ["prog", "a b"]
schedule = "0 8 * * *"
work_dir = "${HOME}/work"
env_pass = ["SSH_AUTH_SOCK"]
parallelism = 3
completions = 9
completion_mode = "indexed"
restart = "on_failure"
backoff_limit = 2
deadline = "10m"
stop_signal = "INT"
env = { MODE = "fast", COUNT = 3 }
)"));
  EXPECT_THAT(job.program.line.args, ElementsAre("prog", "a b"));
  EXPECT_EQ(job.schedule, "0 8 * * *");
  EXPECT_EQ(job.program.work_dir, "${HOME}/work");
  EXPECT_THAT(job.program.env_pass, ElementsAre("SSH_AUTH_SOCK"));
  EXPECT_EQ(job.program.parallelism, 3);
  EXPECT_EQ(job.program.completions, 9);
  EXPECT_EQ(job.program.completion_mode, CompletionMode::indexed);
  EXPECT_EQ(job.program.restart, RestartRule::on_failure);
  EXPECT_EQ(job.program.backoff_limit, 2);
  EXPECT_EQ(job.program.deadline, 10min);
  EXPECT_EQ(job.program.stop_signal, SIGINT);
  EXPECT_THAT(job.program.env, ElementsAre(Pair("COUNT", "3"), Pair("MODE", "fast")));
}

TEST(ProgramConfig, RestartsAServiceByDefault) {
  const Job job = job_of(
      "name = \"a\"\nkind = \"service\"\nargs = [\"server\"]\nready_after = \"2s\"\n"
      "ready_check = \"http://127.0.0.1:8080/health\"\nmax_restarts = 3\nrestart_window = "
      "\"10s\"\n");
  EXPECT_EQ(job.kind, JobKind::service);
  EXPECT_EQ(job.program.restart, RestartRule::always);
  EXPECT_EQ(job.program.ready_after, 2s);
  EXPECT_EQ(job.program.ready_check, "http://127.0.0.1:8080/health");
  EXPECT_EQ(job.program.max_restarts, 3);
  EXPECT_EQ(job.program.restart_window, 10s);
}

TEST(ProgramConfig, ReadsHooksOfAnyKindOfJobInTheOrderOfTheFile) {
  ProjectForTest project;
  project.job(R"([[hooks.pre_start]]
name = "download"
command = "curl x"
failure = "retry"
retries = 5
retry_delay = "200ms"
timeout = "1m"
env = { MODE = "fast" }
work_dir = "work"
[[hooks.pre_start]]
name = "validate"
args = ["./validate"]
mode = "async"
[[hooks.post_stop]]
name = "clean"
command = "rm -r work"
failure = "ignore"
always = true
)");
  const Loaded loaded = project.load();
  ASSERT_THAT(ProjectForTest::texts(loaded.problems), IsEmpty());
  const auto& hooks = loaded.project.jobs.front().hooks;
  ASSERT_EQ(hooks.size(), 3u);
  const auto hook = [&](const char* name) {
    for (const HookRule& each : hooks)
      if (each.name == name) return each;
    return HookRule{};
  };
  EXPECT_EQ(hook("download").phase, HookPhase::pre_start);
  EXPECT_EQ(hook("download").failure, HookFailure::retry);
  EXPECT_EQ(hook("download").retries, 5);
  EXPECT_EQ(hook("download").retry_delay, 200ms);
  EXPECT_EQ(hook("download").timeout, 1min);
  EXPECT_THAT(hook("download").env, ElementsAre(Pair("MODE", "fast")));
  EXPECT_EQ(hook("download").work_dir, "work");
  EXPECT_EQ(hook("validate").mode, HookMode::async);
  EXPECT_THAT(hook("validate").program.args, ElementsAre("./validate"));
  EXPECT_EQ(hook("clean").phase, HookPhase::post_stop);
  EXPECT_TRUE(hook("clean").always);
  EXPECT_LT(std::find_if(hooks.begin(), hooks.end(),
                         [](const HookRule& each) { return each.name == "download"; }),
            std::find_if(hooks.begin(), hooks.end(),
                         [](const HookRule& each) { return each.name == "validate"; }));
}

TEST(ProgramConfig, GivesAHookTheDefaultsOfTheKeyTable) {
  const Section& section = section_named("hook");
  const HookRule rule;
  EXPECT_EQ(find_key(section, "failure")->preset, to_text(rule.failure));
  EXPECT_EQ(find_key(section, "mode")->preset, to_text(rule.mode));
  EXPECT_EQ(find_key(section, "retries")->preset, std::to_string(rule.retries));
  EXPECT_EQ(find_key(section, "retry_delay")->preset, to_short_text(rule.retry_delay));
  EXPECT_EQ(find_key(section, "timeout")->preset, to_short_text(rule.timeout));
}

TEST(ProgramConfig, RequiresEitherCommandOrArgs) {
  EXPECT_THAT(problems_of(command_job("")),
              ElementsAre(HasSubstr("config.toml:1: command: is missing: give `command`")));
  EXPECT_THAT(problems_of(command_job("command = \"a\"\nargs = [\"b\"]\n")),
              ElementsAre(HasSubstr(":4: args: only one of `command` and `args`")));
  EXPECT_THAT(problems_of(command_job("args = []\n")),
              ElementsAre(HasSubstr(":3: args: the list must begin with a program")));
  EXPECT_THAT(problems_of(command_job("command = \" \"\n")),
              ElementsAre(HasSubstr(":3: command: must not be empty")));
}

TEST(ProgramConfig, RefusesARestartThatDoesNotFitTheKind) {
  EXPECT_THAT(problems_of(command_job("command = \"a\"\nrestart = \"always\"\n")),
              ElementsAre(HasSubstr(":4: restart: a command ends: \"never\" or \"on_failure\"")));
  EXPECT_THAT(
      problems_of("name = \"a\"\nkind = \"service\"\ncommand = \"a\"\nrestart = \"never\"\n"),
      ElementsAre(HasSubstr(":4: restart: a service is kept running")));
}

TEST(ProgramConfig, RefusesAScheduleOfAService) {
  EXPECT_THAT(problems_of("name = \"a\"\nkind = \"service\"\ncommand = \"a\"\ninterval = \"1h\"\n"),
              ElementsAre(HasSubstr(":4: interval: a service has no schedule")));
}

TEST(ProgramConfig, AllowsReadyChecksOfLoopbackAddressesOnly) {
  const auto problem_text = [](const std::string& address) {
    return problems_of("name = \"a\"\nkind = \"service\"\ncommand = \"a\"\nready_check = \"" +
                       address + "\"\n");
  };
  EXPECT_THAT(problem_text("tcp://localhost:80"), IsEmpty());
  EXPECT_THAT(problem_text("http://[::1]:80/x"), IsEmpty());
  EXPECT_THAT(problem_text("http://example.com:80/"),
              ElementsAre(HasSubstr("\"example.com\" is not this machine")));
  EXPECT_THAT(problem_text("127.0.0.1:80"), ElementsAre(HasSubstr("expected an address of this")));
  EXPECT_THAT(problem_text("tcp://127.0.0.1"), ElementsAre(HasSubstr("port is missing")));
}

TEST(ProgramConfig, WarnsAboutKeysOfOtherKinds) {
  EXPECT_THAT(
      problems_of(command_job("command = \"a\"\nselector = \"li\"\nready_after = \"1s\"\n")),
      ElementsAre(HasSubstr(":4: selector: warning: has no effect here: it is a key of "
                            "web jobs"),
                  HasSubstr(":5: ready_after: warning: has no effect here: it is a key of jobs "
                            "with kind = \"service\"")));
  ProjectForTest project;
  EXPECT_THAT(project.job("command = \"a\"\n").problem_texts(),
              ElementsAre(HasSubstr(":5: command: warning: has no effect")));
}

TEST(ProgramConfig, RefusesReservedEnvironmentNames) {
  EXPECT_THAT(problems_of(command_job("command = \"a\"\nenv_pass = [\"HEDDLE_KEY\", "
                                      "\"B-C\"]\nenv = { HEDDLE_RUN_ID = \"x\" }\n")),
              ElementsAre(HasSubstr(":4: env_pass: \"HEDDLE_KEY\": names that begin with HEDDLE_"),
                          HasSubstr(":4: env_pass: \"B-C\": a variable's name is made of letters"),
                          HasSubstr(":5: env.HEDDLE_RUN_ID: names that begin with HEDDLE_")));
}

TEST(ProgramConfig, ReadsAnEnvironmentFile) {
  ProjectForTest project;
  project.write("jobs/a/.env",
                "# a comment\n\nexport A=1\nB = \"two words\"\nC='${HOME}/x'\nD=a=b\r\n");
  const Loaded loaded =
      project.write("jobs/a/config.toml", command_job("command = \"a\"\nenv_file = \".env\"\n"))
          .load();
  ASSERT_THAT(ProjectForTest::texts(loaded.problems), IsEmpty());
  EXPECT_THAT(loaded.project.jobs.front().program.file_env,
              ElementsAre(Pair("A", "1"), Pair("B", "two words"), Pair("C", "${HOME}/x"),
                          Pair("D", "a=b")));
}

TEST(ProgramConfig, NamesInvalidLinesOfAnEnvironmentFile) {
  ProjectForTest project;
  project.write("jobs/a/.env", "A=1\nnonsense\n1B=2\nHEDDLE_X=1\n");
  project.write("jobs/a/config.toml", command_job("command = \"a\"\nenv_file = \".env\"\n"));
  EXPECT_THAT(project.problem_texts(),
              ElementsAre(HasSubstr("jobs/a/.env:2: expected NAME=value"),
                          HasSubstr("jobs/a/.env:3: a variable's name"),
                          HasSubstr("jobs/a/.env:4: names that begin with HEDDLE_")));
  EXPECT_THAT(problems_of(command_job("command = \"a\"\nenv_file = \"no.env\"\n")),
              ElementsAre(HasSubstr(":4: env_file: \"no.env\" ")));
}

TEST(ProgramConfig, ChangesTheRevisionWithTheEnvironmentFile) {
  ProjectForTest project;
  project.write("jobs/a/config.toml", command_job("command = \"a\"\nenv_file = \".env\"\n"));
  const std::string before = project.write("jobs/a/.env", "A=1\n").load().project.jobs[0].revision;
  const std::string after = project.write("jobs/a/.env", "A=2\n").load().project.jobs[0].revision;
  EXPECT_NE(before, after);
}

TEST(ProgramConfig, TreatsVariablesWithSecretNamesAsSecrets) {
  ProjectForTest project;
  project.write("jobs/a/.env", "DB_PASSWORD=hunter22\nMODE=plain-mode\n");
  project.write("jobs/a/config.toml",
                command_job("command = \"a\"\nenv_file = \".env\"\nenv = { API_TOKEN = "
                            "\"tok-12345\" }\n[[hooks.pre_start]]\nname = \"h\"\ncommand = "
                            "\"a\"\nenv = { MY_SECRET = \"sesame-open\" }\n"));
  const auto secrets = project.load().project.secrets;
  EXPECT_THAT(secrets, AllOf(Contains("hunter22"), Contains("tok-12345"), Contains("sesame-open"),
                             ::testing::Not(Contains("plain-mode"))));
}

TEST(ProgramConfig, NamesTheLineOfAnInvalidHook) {
  const std::string web = "name = \"a\"\nurl = \"https://example.com/\"\nselector = \"li\"\n";
  EXPECT_THAT(problems_of(web + "[[hooks.pre_start]]\ncommand = \"a\"\n"),
              ElementsAre(HasSubstr(":4: hooks.pre_start.name: is missing")));
  EXPECT_THAT(problems_of(web + "[[hooks.pre_start]]\nname = \"x\"\n"),
              ElementsAre(HasSubstr(":4: hooks.pre_start.command: is missing: give `command`")));
  EXPECT_THAT(
      problems_of(web + "[[hooks.pre_stop]]\nname = \"x\"\ncommand = \"a\"\nalways = true\n"),
      ElementsAre(HasSubstr("hooks.pre_stop.always: is allowed only in [[hooks.post_stop]]")));
  EXPECT_THAT(problems_of(web + "[[hooks.pre_stop]]\nname = \"x\"\ncomand = \"a\"\n"),
              ElementsAre(HasSubstr(":6: hooks.pre_stop.comand: unknown key, did you mean "
                                    "`command`?")));
  EXPECT_THAT(
      problems_of(web + "[[hooks.pre_start]]\nname = \"x\"\ncommand = \"a\"\n[[hooks.post_stop]]\n"
                        "name = \"x\"\ncommand = \"b\"\n"),
      ElementsAre(HasSubstr("there are two hooks \"x\"")));
  EXPECT_THAT(problems_of(web + "[[hooks.pre_start]]\nname = \"x\"\ncommand = \"a\"\nenv = { \"A "
                                "B\" = \"1\" }\n"),
              ElementsAre(HasSubstr("hooks.pre_start.env.A B: a variable's name")));
}

}  // namespace
}  // namespace heddle::config

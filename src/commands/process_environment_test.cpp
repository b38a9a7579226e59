#include "commands/process_environment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::commands {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Key;
using ::testing::Not;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

const Variables kDaemon{{"PATH", "/usr/bin:/bin"}, {"HOME", "/home/ann"},
                        {"LANG", "C.UTF-8"},       {"SSH_AUTH_SOCK", "/run/agent"},
                        {"HEDDLE_KEY", "secret"},  {"AWS_SECRET", "hidden"}};

TEST(ProcessEnvironment, ExpandsVariablesOnce) {
  const Variables variables{{"A", "1"}, {"B", "${A}"}};
  EXPECT_EQ(expand_variables("x${A}y${B}z", variables), "x1y${A}z");
  EXPECT_EQ(expand_variables("${MISSING}|$A|${", variables), "|$A|${");
  EXPECT_EQ(expand_variables("$${A} ${not a name} $", variables), "${A} ${not a name} $");
}

TEST(ProcessEnvironment, PassesThroughOnlyNamedVariables) {
  ProgramRule rule;
  rule.env_pass = {"SSH_AUTH_SOCK", "HEDDLE_KEY", "NOT_THERE"};
  EXPECT_THAT(process_environment_of(rule, nullptr, kDaemon).variables,
              UnorderedElementsAre(Pair("PATH", "/usr/bin:/bin"), Pair("HOME", "/home/ann"),
                                   Pair("LANG", "C.UTF-8"), Pair("SSH_AUTH_SOCK", "/run/agent")));
}

TEST(ProcessEnvironment, OverridesTheDaemonByTheFileAndTheFileByTheJob) {
  ProgramRule rule;
  rule.file_env = {{"BASE", "${HOME}/base"}, {"PLACE", "${BASE}/place"}, {"MODE", "file"}};
  rule.env = {{"MODE", "job"}, {"PATH", "/opt:${PATH}"}, {"X", "${MODE}"}};
  HookRule hook;
  hook.env = {{"MODE", "hook-${MODE}"}};
  const auto seen = process_environment_of(rule, &hook, kDaemon).variables;
  EXPECT_THAT(seen, Contains(Pair("PLACE", "/home/ann/base/place")));
  EXPECT_THAT(seen, Contains(Pair("PATH", "/opt:/usr/bin:/bin")));
  EXPECT_THAT(seen, Contains(Pair("X", "file")));
  EXPECT_THAT(seen, Contains(Pair("MODE", "hook-job")));
  EXPECT_THAT(process_environment_of(rule, nullptr, kDaemon).variables,
              Contains(Pair("MODE", "job")));
}

TEST(ProcessEnvironment, HasADefaultPathWhenTheDaemonHasNone) {
  EXPECT_THAT(process_environment_of({}, nullptr, {}).variables,
              ElementsAre(Pair("PATH", "/usr/local/bin:/usr/bin:/bin")));
}

TEST(ProcessEnvironment, UsesTheJobsFolderByDefault) {
  ProgramRule rule;
  rule.home = "/project/jobs/a";
  HookRule hook;
  EXPECT_EQ(process_environment_of(rule, &hook, kDaemon).folder, "/project/jobs/a/");
  rule.work_dir = "work";
  EXPECT_EQ(process_environment_of(rule, &hook, kDaemon).folder, "/project/jobs/a/work");
  hook.work_dir = "${HOME}/x";
  EXPECT_EQ(process_environment_of(rule, &hook, kDaemon).folder, "/home/ann/x");
}

TEST(ProcessEnvironment, RunsALineInTheShellAndSearchesProgramsInPath) {
  ProgramLine line;
  line.command = "a | b";
  EXPECT_THAT(*arguments_of(line, kDaemon), ElementsAre("/bin/sh", "-c", "a | b"));
  line.args = {"sh", "x"};
  EXPECT_THAT(*arguments_of(line, kDaemon), ElementsAre("/usr/bin/sh", "x"));
  line.args = {"./own", "x"};
  EXPECT_THAT(*arguments_of(line, kDaemon), ElementsAre("./own", "x"));
  line.args = {"no-such-program"};
  EXPECT_EQ(arguments_of(line, kDaemon).error().message, "no-such-program: not found in PATH");
}

}  // namespace
}  // namespace heddle::commands

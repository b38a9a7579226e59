#include "app/project/program_checks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temporary_folder.hpp"

namespace heddle::app {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ProgramChecks : public ::testing::Test {
 protected:
  ProgramChecks() {
    job_.id = JobId{"tea"};
    job_.kind = JobKind::command;
    job_.program.home = folder_.path();
    folder_.write("plain.txt", "");
    folder_.write("good.sh", "#!/bin/sh\n");
    fs::permissions(folder_.path() / "good.sh", fs::perms::owner_all);
  }
  std::vector<cli::ScriptProblem> check() {
    Project project;
    project.jobs.push_back(job_);
    return check_programs(project, {{"PATH", "/usr/bin:/bin"}});
  }
  std::string problem_of(std::vector<std::string> args) {
    job_.program.line.args = std::move(args);
    const auto problems = check();
    return problems.empty() ? "" : problems.front().message;
  }
  std::string problem_of_line(const std::string& command) {
    job_.program.line.command = command;
    return problem_of({});
  }
  void add_hook(HookPhase phase, const std::string& program) {
    HookRule hook;
    hook.phase = phase;
    hook.name = "warm-up";
    hook.program.args = {program};
    job_.hooks.push_back(std::move(hook));
  }

  heddle::testing::TemporaryFolder folder_;
  Job job_;
};

TEST_F(ProgramChecks, AcceptWhatWouldStart) {
  EXPECT_EQ(problem_of({"./good.sh", "--all"}), "");
  EXPECT_EQ(problem_of({"sh", "-c", "true"}), "");
  EXPECT_EQ(problem_of_line("./good.sh && echo $HOME/x"), "");
  EXPECT_EQ(problem_of_line("cd / && ls"), "");
  EXPECT_EQ(problem_of_line("$HOME/bin/x"), "") << "only the shell knows";
}

TEST_F(ProgramChecks, NameWhatWouldNot) {
  EXPECT_THAT(problem_of({"./missing.sh"}), HasSubstr("there is no program './missing.sh' in "));
  EXPECT_THAT(problem_of({"./plain.txt"}), HasSubstr("'./plain.txt' is not executable: chmod +x"));
  EXPECT_THAT(problem_of({"/"}), HasSubstr("is a folder"));
  EXPECT_THAT(problem_of({"no-such-program"}), HasSubstr("not found in PATH"));
  EXPECT_THAT(problem_of_line(" ./missing.sh | cat"), HasSubstr("there is no program"));
}

TEST_F(ProgramChecks, NameAMissingFolder) {
  job_.program.work_dir = "nowhere";
  EXPECT_THAT(problem_of({"sh"}), HasSubstr("/nowhere does not exist"));
}

TEST_F(ProgramChecks, IncludeHooks) {
  job_.kind = JobKind::web;
  add_hook(HookPhase::pre_start, "./missing.sh");
  const auto problems = check();
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].key, "hooks.pre_start");
  EXPECT_THAT(problems[0].message, HasSubstr("hook 'warm-up': there is no program"));
  EXPECT_FALSE(problems[0].is_warning);
}

TEST_F(ProgramChecks, OnlyWarnWhenAHookBeforeMayMakeTheProgram) {
  add_hook(HookPhase::pre_start, "./good.sh");
  job_.program.line.args = {"./built.sh"};
  const auto problems = check();
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_TRUE(problems[0].is_warning);
}

TEST_F(ProgramChecks, IgnoreTheCommandOfAWebJob) {
  job_.kind = JobKind::web;
  job_.program.line.args = {"./missing.sh"};
  EXPECT_THAT(check(), IsEmpty());
}

}  // namespace
}  // namespace heddle::app

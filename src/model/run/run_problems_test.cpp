#include "model/run/run_problems.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> texts(const std::vector<RunError>& errors) {
  std::vector<std::string> all;
  for (const RunError& error : errors) all.push_back(error.message);
  return all;
}

TEST(RunProblems, AreFailuresAndNoticesByTheirKind) {
  heddle::Run run;
  run.pages.failed = 1;
  run.errors = {{ErrorKind::http, "404", "u"},
                {ErrorKind::script, "error", "v"},
                {ErrorKind::no_items, "empty", "w"},
                {ErrorKind::limited, "out of time", ""}};
  EXPECT_THAT(texts(problems_of(run).failures), ElementsAre("404", "error", "out of time"));
  EXPECT_THAT(texts(problems_of(run).notices), ElementsAre("empty"));
}

TEST(RunProblems, TellABrokenExpectationOfAFailedPageFromAWarning) {
  heddle::Run run;
  run.pages = {.total = 3, .done = 1, .failed = 2, .skipped = 0};
  run.errors = {{ErrorKind::interrupted, "stopped", ""},
                {ErrorKind::expectation, "no text", "u"},
                {ErrorKind::connect, "down", "v"},
                {ErrorKind::expectation, "slow", "w"}};
  const RunProblems problems = problems_of(run);
  EXPECT_THAT(texts(problems.failures), ElementsAre("stopped", "no text", "down"));
  EXPECT_THAT(texts(problems.notices), ElementsAre("slow"));
  ASSERT_NE(warning_of(problems), nullptr);
  EXPECT_EQ(warning_of(problems)->message, "slow");
}

TEST(RunProblems, HaveNoWarningWhenAllExpectationsAreOfFailedPages) {
  heddle::Run run;
  run.pages.failed = 1;
  run.errors = {{ErrorKind::expectation, "no text", "u"}, {ErrorKind::empty_field, "empty", "v"}};
  EXPECT_EQ(warning_of(problems_of(run)), nullptr);
}

TEST(RunProblems, AreFailuresWhenAPageWasAWrongOne) {
  for (const ErrorKind kind :
       {ErrorKind::bot_wall, ErrorKind::login_required, ErrorKind::error_page}) {
    heddle::Run run;
    run.pages.failed = 1;
    run.errors = {{kind, "wrong", "u"}};
    EXPECT_THAT(texts(problems_of(run).failures), ElementsAre("wrong")) << to_text(kind);
    run.pages = {.total = 1, .done = 1, .failed = 0, .skipped = 0};
    EXPECT_THAT(problems_of(run).failures, IsEmpty()) << "stored by an earlier version";
    EXPECT_TRUE(is_wrong_page(kind));
  }
  EXPECT_FALSE(is_wrong_page(ErrorKind::no_items));
}

}  // namespace
}  // namespace heddle

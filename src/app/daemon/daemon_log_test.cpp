#include "app/daemon/daemon_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/processes.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::app {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const WallTime kTime = *parse_iso8601("2026-11-15T21:23:07.412Z");

LogMessage script_warning() {
  return {.level = LogLevel::warning,
          .text = "[shop] no \"price\"",
          .about = {.job = "shop", .run = "01k"},
          .at = kTime};
}

TEST(DaemonLogLine, HasTheTimeOnlyWhereNothingElseAddsIt) {
  EXPECT_EQ(format_message(script_warning(), LineStyle::plain), "warning: [shop] no \"price\"");
  EXPECT_EQ(format_message(script_warning(), LineStyle::timed),
            "2026-11-15T21:23:07.412Z warning: [shop] no \"price\"");
}

TEST(DaemonLogLine, IsAJsonObjectWithJobAndRunWhereKnown) {
  EXPECT_EQ(format_message(script_warning(), LineStyle::json),
            R"({"time":"2026-11-15T21:23:07.412Z","level":"warning","message":"no \"price\"",)"
            R"("job_id":"shop","run_id":"01k"})");
  EXPECT_EQ(format_message({.text = "started", .at = kTime}, LineStyle::json),
            R"({"time":"2026-11-15T21:23:07.412Z","level":"info","message":"started"})");
}

class DaemonLogFile : public ::testing::Test {
 protected:
  [[nodiscard]] std::string text() const { return heddle::testing::read_file(file_); }

  heddle::testing::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "data" / kDaemonLogFile;
};

TEST_F(DaemonLogFile, HasEveryMessageThatNoJobLogHas) {
  std::filesystem::create_directory(file_.parent_path());
  {
    DaemonLog log(file_, {}, LogLevel::error);  // `heddle up -qq`
    log.debug("a detail");
    log.info("one", {.job = "shop"});
    log.write({.text = "of a script", .is_in_job_log = true});
    log.write_to_file({.level = LogLevel::error, .text = "the end"});
  }
  EXPECT_THAT(text(), AllOf(HasSubstr("Z one\n"), HasSubstr("Z error: the end\n"),
                            Not(HasSubstr("a detail")), Not(HasSubstr("of a script"))));
}

TEST_F(DaemonLogFile, IsNotCreatedWithoutItsFolder) {
  {
    DaemonLog log(file_, {}, LogLevel::error);
    log.info("one");
  }
  EXPECT_FALSE(std::filesystem::exists(file_.parent_path()));
}

TEST_F(DaemonLogFile, FollowsChangedRules) {
  std::filesystem::create_directory(file_.parent_path());
  {
    DaemonLog log(file_, {}, LogLevel::error);
    log.set_rules({.level = LogLevel::debug, .format = LogFormat::json, .size = 150, .keep = 1},
                  LogLevel::error);
    for (const char* letter : {"a", "b", "c"}) log.debug(std::string(60, *letter));
  }
  EXPECT_THAT(text(), AllOf(HasSubstr(R"("level":"debug","message":"ccc)"), Not(HasSubstr("bbb"))));
  EXPECT_TRUE(std::filesystem::exists(file_.string() + ".1"));
  EXPECT_FALSE(std::filesystem::exists(file_.string() + ".2"));
}

}  // namespace
}  // namespace heddle::app

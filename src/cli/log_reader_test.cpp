#include "cli/log_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/empty_reader.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::cli {
namespace {

using ::testing::ElementsAre;

class OneEvent : public store::EmptyReader {
 public:
  Result<std::vector<store::StoredEvent>> job_events(const JobId& job, std::int64_t after,
                                                     std::size_t) override {
    std::vector<store::StoredEvent> events;
    if (after < 1 && (job.text.empty() || job.text == "shop"))
      events.push_back({1, *parse_iso8601("2026-11-15T10:00:02Z"), "run.ended", JobId{"shop"},
                        RunId{"r1"}, R"({"state":"failed"})"});
    return events;
  }
};

class LogReaderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.write("daemon.log",
                  "2026-11-15T10:00:00.000Z started\n"
                  R"({"time":"2026-11-15T10:00:03.000Z","level":"warning","message":"late",)"
                  R"("job_id":"shop","run_id":"r1"})"
                  "\n");
    folder_.write("jobs/shop/job.log", "2026-11-15T10:00:01.000Z warning: odd price\n");
    folder_.write("jobs/news/output.log", "2026-11-15T10:00:04.000Z r2 0.1 stdout: hello\n");
  }
  // "source job run level text" of each line.
  static std::vector<std::string> texts(const Result<std::vector<LogLine>>& lines) {
    std::vector<std::string> out;
    for (const LogLine& line : *lines)
      out.push_back(std::string(to_text(line.source)) + " " + line.job + " " + line.run + " " +
                    line.level + " " + line.text);
    return out;
  }

  heddle::testing::TemporaryFolder folder_;
  OneEvent reader_;
};

TEST_F(LogReaderTest, MergesTheDaemonAndAllJobsByTime) {
  LogReader log(reader_, JobId{}, folder_.path(), 100);
  EXPECT_THAT(texts(log.read_new()),
              ElementsAre("daemon   info started", "script shop  warning odd price",
                          "event shop r1  run r1 failed", "daemon shop r1 warning late",
                          "program news r2  r2 0.1 stdout: hello"));
}

TEST_F(LogReaderTest, ReadsOnlyOneJob) {
  LogReader log(reader_, JobId{"shop"}, folder_.path(), 100);
  EXPECT_THAT(texts(log.read_new()),
              ElementsAre("script shop  warning odd price", "event shop r1  run r1 failed"));
}

TEST_F(LogReaderTest, ShowsTheEndOfARunAfterWhatItWroteInTheSameMillisecond) {
  folder_.write("jobs/shop/job.log", "2026-11-15T10:00:02.000Z warning: odd price\n");
  folder_.write("jobs/shop/output.log", "2026-11-15T10:00:02.000Z r1 0.1 stdout: hello\n");
  LogReader log(reader_, JobId{"shop"}, folder_.path(), 100);
  EXPECT_THAT(texts(log.read_new()),
              ElementsAre("script shop  warning odd price", "program shop r1  r1 0.1 stdout: hello",
                          "event shop r1  run r1 failed"));
}

TEST_F(LogReaderTest, FollowsAlsoJobsThatAreNew) {
  LogReader log(reader_, JobId{}, folder_.path(), 100);
  ASSERT_TRUE(log.read_new());
  EXPECT_THAT(texts(log.read_new()), ElementsAre());
  folder_.write("jobs/new/job.log", "2026-11-15T10:00:05.000Z first\n");
  EXPECT_THAT(texts(log.read_new()), ElementsAre("script new  info first"));
}

}  // namespace
}  // namespace heddle::cli

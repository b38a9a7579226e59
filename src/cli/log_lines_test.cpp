#include "cli/log_lines.hpp"

#include <fstream>

#include <gmock/gmock.h>

#include "tests/support/temporary_folder.hpp"

namespace heddle::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class LogFileTailTest : public ::testing::Test {
 protected:
  void append(const std::string& text) {
    std::ofstream(folder_.path() / "job.log", std::ios::app | std::ios::binary) << text;
  }
  // Keeps two rotated files.
  void rotate() const {
    const std::string file = folder_.path() / "job.log";
    if (std::filesystem::exists(file + ".1")) std::filesystem::rename(file + ".1", file + ".2");
    std::filesystem::rename(file, file + ".1");
  }
  static std::vector<std::string> texts(const std::vector<LogLine>& lines) {
    std::vector<std::string> all;
    for (const LogLine& line : lines) all.push_back(line.text);
    return all;
  }
  heddle::testing::TemporaryFolder folder_;
  LogFileTail file_{folder_.path() / "job.log", 2};
};

TEST_F(LogFileTailTest, ReturnsNothingForAMissingFile) {
  EXPECT_THAT(file_.read_new(), IsEmpty());
}

TEST_F(LogFileTailTest, ReturnsTheLastLinesFirstAndThenNewOnes) {
  append("2026-11-15T10:00:00.000Z one\n2026-11-15T10:00:01.000Z two\nthree\n");
  const auto first = file_.read_new();
  EXPECT_THAT(texts(first), ElementsAre("two", "three"));
  EXPECT_EQ(first[0].at, *parse_iso8601("2026-11-15T10:00:01Z"));
  EXPECT_EQ(first[1].at, first[0].at);  // the line has no time
  append("four\nfi");
  EXPECT_THAT(texts(file_.read_new()), ElementsAre("four"));
  append("ve\n");
  EXPECT_THAT(texts(file_.read_new()), ElementsAre("five"));
  EXPECT_THAT(file_.read_new(), IsEmpty());
}

TEST_F(LogFileTailTest, StartsOverWithANewFileOfTheSameName) {
  append("a long first line that is longer than what comes then\n");
  EXPECT_THAT(texts(file_.read_new()).size(), 1u);
  std::filesystem::remove(folder_.path() / "job.log");
  append("new\n");
  EXPECT_THAT(texts(file_.read_new()), ElementsAre("new"));
}

TEST_F(LogFileTailTest, ReturnsEveryLineOfAFileCreatedLater) {
  EXPECT_THAT(file_.read_new(), IsEmpty());
  append("one\ntwo\nthree\nfour\n");
  EXPECT_THAT(texts(file_.read_new()), ElementsAre("one", "two", "three", "four"));
}

TEST_F(LogFileTailTest, LosesNoLineAcrossRotations) {
  append("one\n");
  EXPECT_THAT(texts(file_.read_new()), ElementsAre("one"));
  append("two\n");
  rotate();
  append("three, and longer than all before it\n");
  rotate();
  append("four, and longer than all that came before it\n");
  EXPECT_THAT(texts(file_.read_new()),
              ElementsAre("two", "three, and longer than all before it",
                          "four, and longer than all that came before it"));
  rotate();
  EXPECT_THAT(file_.read_new(), IsEmpty());
  append("five\n");
  EXPECT_THAT(texts(file_.read_new()), ElementsAre("five"));
}

TEST_F(LogFileTailTest, ReportsLinesLostByRotation) {
  append("one\n");
  EXPECT_THAT(texts(file_.read_new()), ElementsAre("one"));
  append("two\n");
  for (const char* line : {"lost\n", "three\n", "four\n", "five\n"}) {
    rotate();
    append(line);
  }
  EXPECT_THAT(texts(file_.read_new()),
              ElementsAre("two", HasSubstr("deleted by rotation"), "three", "four", "five"));
}

TEST_F(LogFileTailTest, NeverReturnsAPartialLine) {
  append(std::string(5000, 'x') + "\n");
  EXPECT_THAT(texts(file_.read_new()), ElementsAre(std::string(5000, 'x')));
}

TEST_F(LogFileTailTest, ReadsOnlyTheEndOfALongFile) {
  for (int i = 0; i < 10'000; ++i) append("line " + std::to_string(i) + "\n");
  EXPECT_THAT(texts(file_.read_new()), ElementsAre("line 9998", "line 9999"));
}

TEST(EventText, DescribesEachKindOfEvent) {
  const auto text = [](std::string kind, std::string data) {
    store::StoredEvent event;
    event.kind = std::move(kind);
    event.run = {"r1"};
    event.data = std::move(data);
    return event_text(event);
  };
  EXPECT_EQ(text("run.started", R"({"trigger":"time","pages":"3"})"),
            "run r1 started: 3 pages, trigger time");
  EXPECT_EQ(text("run.started", R"({"trigger":"time","pages":"1"})"),
            "run r1 started: 1 page, trigger time");
  EXPECT_EQ(text("run.started", R"({"trigger":"user","pages":"0"})"),
            "run r1 started, trigger user");
  EXPECT_EQ(text("run.ended", R"({"state":"failed"})"), "run r1 failed");
  EXPECT_EQ(text("run.ended", R"({"state":"failed","error":"it was stopped"})"),
            "run r1 failed: it was stopped");
  EXPECT_EQ(text("job.paused", R"({"from":"running","reason":"user"})"),
            "job paused, reason: user");
  EXPECT_EQ(text("job.starting", R"({"why":"time"})"), "job starting, trigger time");
  EXPECT_EQ(text("check.failing", R"({"error":"404"})"), "check state: failing: 404");
  EXPECT_EQ(text("page.dead", R"({"error":"404"})"), "page failed for good (dead letter): 404");
  EXPECT_EQ(text("hook.failed", R"({"phase":"pre_start","hook":"login","state":"failed",)"
                                R"("attempt":"2","end":"exit status 1"})"),
            "pre_start hook 'login' failed, attempt 2: exit status 1");
  EXPECT_EQ(text("something.else", ""), "something.else");
  EXPECT_EQ(text("job.paused", "not json"), "job paused");
}

TEST(EventText, ContainsNoJson) {
  const auto text = [](std::string kind, std::string data) {
    store::StoredEvent event;
    event.kind = std::move(kind);
    event.data = std::move(data);
    return event_text(event);
  };
  const std::string alert = R"({"key":"queue_age","level":"warning","text":"a run has waited"})";
  EXPECT_EQ(text("alert.raised", alert), "alert queue_age (warning): a run has waited");
  EXPECT_EQ(text("alert.over", alert), "alert queue_age cleared: a run has waited");
  EXPECT_EQ(text("worker.crash", R"({"slot":"worker 1","pid":"7","detail":"signal 9"})"),
            "worker 1 died: signal 9");
  EXPECT_EQ(text("worker.unpublished", R"({"slot":"worker 1","detail":"hung","job":"shop"})"),
            "worker 1 died: hung (job 'shop')");
  EXPECT_EQ(text("worker.start_failed", R"({"slot":"worker 1","detail":"no memory"})"),
            "worker 1 could not be started: no memory");
  EXPECT_EQ(text("worker.gave_up", R"({"slot":"worker 1","detail":"died too often"})"),
            "worker 1 is not restarted any more: died too often");
  EXPECT_EQ(text("worker.recovered", R"({"slot":"worker 1","pid":"8"})"), "worker 1 runs again");
  const std::string sizes =
      R"({"before":"fine","free_bytes":"3000000","limit_bytes":"2000000","used_bytes":"1000000"})";
  for (const auto& [level, begin] :
       {std::pair("full", "storage is full: "), std::pair("warning", "storage is almost full: "),
        std::pair("fine", "storage: there is space again, ")})
    EXPECT_EQ(text(std::string("storage.") + level, sizes),
              std::string(begin) + "1.0 MB of 2.0 MB used, 3.0 MB free on the disk");
  EXPECT_EQ(text("run.waiting", R"({"by":"cli:ann","trigger":"manual"})"),
            "run queued, trigger manual");
  EXPECT_EQ(text("run.withdrawn", R"({"trigger":"time"})"), "queued run removed, trigger time");
  const std::string page = R"({"letter":"17","url":"https://a.example/"})";
  EXPECT_EQ(text("page.retried", page), "page of dead letter 17 is retried: https://a.example/");
  EXPECT_EQ(text("page.not_retried", page),
            "page was not retried, dead letter 17 is kept: https://a.example/");
  EXPECT_EQ(text("delivery.retried", R"({"delivery":"d1","letter":"18"})"),
            "message of dead letter 18 is sent again");
  EXPECT_EQ(text("dead_letters.purged", R"({"count":"2"})"), "2 dead letters purged");
  EXPECT_EQ(text("dead_letters.purged", R"({"count":"1"})"), "1 dead letter purged");
  EXPECT_EQ(text("job.deleted", R"({"job":"shop"})"), "job 'shop' deleted");
}

}  // namespace
}  // namespace heddle::cli

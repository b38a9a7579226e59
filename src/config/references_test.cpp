// Checks across values: lists of URLs, references to jobs, channels and fields, schedules.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/load_project.hpp"
#include "config/project_for_test.hpp"

namespace heddle::config {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::vector<std::string> with_urls_file(std::string_view urls) {
  ProjectForTest project;
  project.write("jobs/a/urls.txt", urls);
  return project
      .write("jobs/a/config.toml",
             "name = \"a\"\nurls_file = \"urls.txt\"\nselector = \"li\"\nfields = [\"x:\"]\n")
      .problem_texts();
}

TEST(UrlsFile, AllowsCommentsAfterWhiteSpace) {
  ProjectForTest project;
  project.write("jobs/a/urls.txt",
                "# all\n  # of them\nhttp://h/c1#part\nhttp://h/c2  # trailing\r\n"
                "http://h/c3\t#x # y\n");
  const Loaded loaded = project
                            .write("jobs/a/config.toml",
                                   "name = \"a\"\nurls_file = \"urls.txt\"\nselector = \"li\"\n"
                                   "fields = [\"x:\"]\n")
                            .load();
  ASSERT_EQ(loaded.project.jobs.size(), 1u) << ::testing::PrintToString(project.problem_texts());
  EXPECT_THAT(loaded.project.jobs[0].urls,
              ElementsAre("http://h/c1#part", "http://h/c2", "http://h/c3"));
}

TEST(UrlsFile, RefusesWhiteSpaceInsideAUrl) {
  EXPECT_THAT(with_urls_file("http://h/1\nhttp://h/a b\nhttp://h/c\thttp://h/d\n"),
              ElementsAre(StartsWith("jobs/a/urls.txt:2: white space inside a URL"),
                          StartsWith("jobs/a/urls.txt:3: white space inside a URL")));
}

TEST(UrlLists, WarnAboutRepetitions) {
  EXPECT_THAT(with_urls_file("http://h/1\nhttp://h/2\nhttp://h/2\nhttp://h/1\nhttp://h/2\n"),
              ElementsAre("jobs/a/config.toml:2: urls_file: warning: 3 of the 5 URLs are "
                          "repeated, first: http://h/2"));
}

TEST(ScheduleKeys, AreChecked) {
  const auto about = [](std::string_view line) {
    ProjectForTest project;
    const auto all = project.job(line).problem_texts();
    return all.empty() ? "" : all.back();
  };
  EXPECT_EQ(about("schedule = \"0 8 * * Mon-Fri\""), "");
  EXPECT_EQ(about("schedule = \"manual\""), "");
  EXPECT_THAT(about("schedule = \"61 * * * *\""),
              HasSubstr("schedule: minute: found \"61\", expected 0 to 59"));
  EXPECT_THAT(about("schedule = \"sometimes\""), HasSubstr("schedule: found 1 field, expected"));
  EXPECT_EQ(about("active_hours = \"Mon-Fri 08:00-18:00\""), "");
  EXPECT_THAT(about("active_hours = [\"08:00-12:00\", \"Foo 08:00-18:00\"]"),
              HasSubstr("active_hours: found \"Foo 08:00-18:00\", expected hours"));
}

TEST(ScheduleKeys, ReachTheJob) {
  ProjectForTest project;
  project.job(
      "schedule = \"@daily\"\nactive_hours = \"08:00-18:00\"\njitter = \"2m\"\n"
      "misfire = \"skip\"\noverlap = \"replace\"\nstop_timeout = \"7s\"\nalert_after = 3\n"
      "retry.runs = 2\nafter = [{ job = [\"b\", \"c\"], on = \"finished\" }, { job = \"d\" }]\n",
      "a");
  for (const char* name : {"b", "c", "d"}) project.job("", name);
  const Loaded loaded = project.load();
  const Job& job = loaded.project.jobs.at(0);
  EXPECT_EQ(job.schedule, "@daily");
  EXPECT_THAT(job.active_hours, ElementsAre("08:00-18:00"));
  EXPECT_EQ(job.jitter, std::chrono::minutes(2));
  EXPECT_EQ(job.misfire, MisfirePolicy::skip);
  EXPECT_EQ(job.overlap, OverlapPolicy::replace);
  EXPECT_EQ(job.stop_timeout, std::chrono::seconds(7));
  EXPECT_EQ(job.alert_after, 3);
  EXPECT_EQ(job.retry.runs, 2);
  EXPECT_THAT(job.after,
              ElementsAre(UpstreamTrigger{{"b"}, TriggerOn::finished},
                          UpstreamTrigger{{"c"}, TriggerOn::finished}, UpstreamTrigger{{"d"}}));
}

TEST(ScheduleKeys, ReferToExistingJobs) {
  ProjectForTest project;
  project.job("after = [\"b\"]\n", "a");
  project.job("after = { job = \"bb\", on = \"failed\" }\n", "b");
  EXPECT_THAT(project.problem_texts(),
              Contains("jobs/b/config.toml:5: after: there is no job \"bb\", did you "
                       "mean \"b\"?"));
  const Loaded loaded = project.load();
  ASSERT_EQ(loaded.project.jobs.size(), 1u);
  EXPECT_EQ(loaded.project.jobs[0].id.text, "a");
}

TEST(LaterKeys, RefuseCyclicDependencies) {
  ProjectForTest project;
  project.job("after = [\"b\"]\n", "a");
  project.job("after = [{ job = [\"c\"] }]\n", "b");
  project.job("after = \"a\"\n", "c");
  project.job("after = \"a\"\n", "d");
  const auto problem_texts = project.problem_texts();
  EXPECT_THAT(problem_texts, Contains("jobs/a/config.toml:5: after: `after` has a cycle: "
                                      "a -> b -> c -> a"));
  EXPECT_THAT(problem_texts,
              Not(Contains(::testing::AllOf(StartsWith("jobs/d"), HasSubstr("cycle")))));
  project.job("after = \"e\"\n", "e");
  EXPECT_THAT(project.problem_texts(), Contains(HasSubstr("has a cycle: e -> e")));
}

TEST(Channels, AreLoadedWithTheKeysOfTheirType) {
  ProjectForTest project;
  project.write("heddle.toml",
                "[channels.\"ops.team\"]\ntype = \"webhook\"\nurl = \"https://example.com/hook\"\n"
                "headers = { X-Team = \"ops\" }\n"
                "[channels.screen]\ntype = \"desktop\"\n"
                "[alerts]\nto = [\"ops.team\", \"screen\"]\nstuck_after = \"5m\"\n");
  project.job("");
  const Loaded loaded = project.load();
  EXPECT_THAT(project.problem_texts(), ::testing::IsEmpty());
  const Project& read = loaded.project;
  ASSERT_TRUE(read.channels.contains("ops.team"));
  EXPECT_EQ(read.channels.at("ops.team").kind, DeliveryKind::webhook);
  EXPECT_EQ(read.channels.at("ops.team").webhook.url, "https://example.com/hook");
  EXPECT_THAT(read.channels.at("ops.team").webhook.headers,
              ElementsAre(::testing::Pair("X-Team", "ops")));
  EXPECT_EQ(read.channels.at("screen").kind, DeliveryKind::desktop);
  EXPECT_THAT(read.alerts.to, ElementsAre("ops.team", "screen"));
  EXPECT_EQ(read.alerts.stuck_after, std::chrono::minutes(5));
}

TEST(Channels, ReportMissingKeysAndUnavailableTypes) {
  ProjectForTest project;
  project.write("heddle.toml",
                "[channels.a]\nurl = \"https://example.com/\"\n"
                "[channels.b]\ntype = \"webhook\"\nsecret = \"short\"\n"
                "[channels.c]\ntype = \"webhook\"\nurl = \"http://127.0.0.1:9/\"\n"
                "[channels.d]\ntype = \"ntfy\"\nurl = \"https://ntfy.sh/topic\"\n"
                "[alerts]\nto = \"d\"\n");
  project.job("");
  const auto problem_texts = project.problem_texts();
  EXPECT_THAT(problem_texts,
              Contains(HasSubstr("heddle.toml:2: channels.a.url: channel \"a\" needs "
                                 "a `type`")));
  EXPECT_THAT(problem_texts, Contains(HasSubstr("channels.b.type: a webhook needs a `url`")));
  EXPECT_THAT(problem_texts, Contains(HasSubstr("channels.b.secret: invalid secret")));
  EXPECT_THAT(problem_texts, Contains(HasSubstr("allow_delivery")));
  EXPECT_THAT(problem_texts,
              Contains(HasSubstr("channels.d.type: notice: \"ntfy\" is not available yet: "
                                 "nothing is sent through this channel")));
  EXPECT_THAT(problem_texts,
              Contains(HasSubstr("alerts.to: warning: channel \"d\" is of a type that is not "
                                 "available yet")));
}

TEST(Channels, OfAnUnavailableTypeDoNotPreventRuns) {
  ProjectForTest project;
  project.write("heddle.toml", "[channels.d]\ntype = \"ntfy\"\n");
  project.job("");
  EXPECT_EQ(project.load().project.jobs.size(), 1u);
}

TEST(LaterKeys, ReferToExistingChannelsAndFields) {
  ProjectForTest project;
  project.write("heddle.toml",
                "[channels.phone]\ntype = \"ntfy\"\n[channels.phone.headers]\nX-A = \"1\"\n"
                "[alerts]\nto = [\"phon\"]\n");
  project.job(
      "series = [\"titel\"]\nenv_file = \".env\"\nnotify = [\"phone\", \"pager\"]\n"
      "[[alert]]\nfield = \"price\"\nto = \"phone\"\nbelow = 3\n");
  std::vector<std::string> errors;
  for (const Problem& problem : project.load().problems)
    if (problem.severity == ProblemSeverity::error) errors.push_back(to_text(problem));
  EXPECT_THAT(
      errors,
      ElementsAre(StartsWith("heddle.toml:6: alerts.to: there is no channel \"phon\", did you mean "
                             "\"phone\"?"),
                  "jobs/a/config.toml:5: series: there is no field \"titel\", did you mean "
                  "\"title\"?",
                  "jobs/a/config.toml:6: env_file: \".env\" does not exist",
                  StartsWith("jobs/a/config.toml:7: notify: there is no channel \"pager\""),
                  HasSubstr("alert: there is no field \"price\"")));
}

TEST(Adapters, ThatAreUnavailablePreventEveryJobFromRunning) {
  for (const char* line : {"store = \"postgres\"", "store = \"postgres://u:secret@h/db\"",
                           "queue = \"rabbitmq\"", "queue = \"amqp://h\""}) {
    ProjectForTest project;
    project.write("heddle.toml", line).job("");
    const Loaded loaded = project.load();
    EXPECT_TRUE(loaded.project.jobs.empty()) << line;
    EXPECT_TRUE(has_errors(loaded.problems)) << line;
    const auto problem_texts = project.problem_texts();
    ASSERT_EQ(problem_texts.size(), 1u) << ::testing::PrintToString(problem_texts);
    EXPECT_THAT(problem_texts[0], HasSubstr("is not available yet, so no job can run"));
    EXPECT_THAT(problem_texts[0], Not(HasSubstr("secret")));
    EXPECT_THAT(ProjectForTest::texts(loaded.jobs[0].problems), ElementsAre(problem_texts[0]));
  }
  ProjectForTest project;
  EXPECT_THAT(project.write("heddle.toml", "store = \"mysql\"\n").job("").problem_texts(),
              ElementsAre("heddle.toml:1: store: expected \"sqlite\" or postgres://…"));
}

}  // namespace
}  // namespace heddle::config

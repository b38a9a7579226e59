#include "views/job_view.hpp"

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "store/empty_reader.hpp"

namespace heddle::views {
namespace {

namespace json = boost::json;

const WallTime kNoon = *parse_iso8601("2026-11-15T12:00:00Z");

Run run_of(const std::string& id, bool has_ended) {
  Run run;
  run.id = RunId{id};
  run.job = JobId{"shop"};
  run.state = has_ended ? RunState::completed : RunState::in_progress;
  if (has_ended) run.ended_at = run.started_at + std::chrono::seconds(1);
  return run;
}

JobStatus status_of(const std::string& job, JobState state) {
  JobStatus status;
  status.job = JobId{job};
  status.state = state;
  return status;
}

Job job_of(const std::string& id) {
  Job job;
  job.id = JobId{id};
  job.name = "The " + id;
  return job;
}

// A store with the jobs "gone" and "shop", and runs of any job.
class TwoJobs : public store::EmptyReader {
 public:
  Result<std::vector<store::JobName>> jobs() override {
    return std::vector<store::JobName>{{JobId{"gone"}, "Gone", "command", ""},
                                       {JobId{"shop"}, "Former name", "command", ""}};
  }
  Result<std::vector<JobStatus>> job_statuses() override {
    return std::vector{status_of("gone", JobState::archived), status_of("shop", JobState::running)};
  }
  Result<std::vector<Run>> runs(const JobId&, std::size_t) override {
    return std::vector{run_of("r4", false), run_of("r3", true), run_of("r2", true)};
  }
  Result<ProgramHistory> program_history(const RunId& run) override {
    asked_run = run.text;
    return ProgramHistory{};
  }

  std::string asked_run;
};

std::vector<std::string> ids_of(const std::vector<JobView>& jobs) {
  std::vector<std::string> ids;
  for (const JobView& job : jobs) ids.push_back(job.id.text);
  return ids;
}

TEST(ReadJobs, JoinsConfiguredAndStoredJobsById) {
  TwoJobs reader;
  const auto jobs = read_jobs(reader, {job_of("shop"), job_of("new")}, {});
  ASSERT_TRUE(jobs);
  EXPECT_EQ(ids_of(*jobs), (std::vector<std::string>{"gone", "new", "shop"}));
  const JobView& gone = (*jobs)[0];
  EXPECT_EQ(gone.name, "Gone");
  EXPECT_EQ(gone.kind, "command");
  EXPECT_EQ(gone.status.state, JobState::archived);
  const JobView& fresh = (*jobs)[1];
  EXPECT_FALSE(fresh.is_stored);
  EXPECT_EQ(fresh.status.state, JobState::created);
  const JobView& shop = (*jobs)[2];
  EXPECT_EQ(shop.name, "The shop");
  EXPECT_EQ(shop.kind, "web");
  EXPECT_TRUE(shop.is_stored);
  EXPECT_EQ(shop.status.state, JobState::running);
}

TEST(ReadJobs, FindsAnInvalidJobByItsIdOrItsFolder) {
  TwoJobs reader;
  const auto jobs = read_jobs(
      reader, {},
      {{JobId{"new"}, "New", "", "line 1"}, {{}, "", "shop", "line 2"}, {{}, "", "", "x"}});
  ASSERT_TRUE(jobs);
  EXPECT_EQ(ids_of(*jobs), (std::vector<std::string>{"gone", "new", "shop"}));
  EXPECT_EQ((*jobs)[0].mistake, "");
  EXPECT_EQ((*jobs)[1].mistake, "line 1");
  EXPECT_EQ((*jobs)[2].mistake, "line 2");
}

TEST(ReadRuns, PicksTheCurrentRunAndTheNewestEndedOne) {
  TwoJobs reader;
  JobView job;
  ASSERT_TRUE(read_runs(reader, job));
  EXPECT_EQ(job.current->id.text, "r4");
  EXPECT_EQ(job.last->id.text, "r3");
}

TEST(ReadJobDetails, TakesTheProgramsOfTheCurrentRun) {
  TwoJobs reader;
  JobView job;
  job.last = run_of("r3", true);
  const auto rested = read_job_details(reader, job, {});
  ASSERT_TRUE(rested);
  EXPECT_EQ(reader.asked_run, "r3");
  EXPECT_EQ(rested->run_state, RunState::completed);
  job.current = run_of("r4", false);
  const auto running = read_job_details(reader, job, {});
  ASSERT_TRUE(running);
  EXPECT_EQ(reader.asked_run, "r4");
  EXPECT_EQ(running->run_state, RunState::in_progress);
}

TEST(JobView, MatchesTheContract) {
  JobView job;
  job.id = JobId{"shop"};
  job.name = "Shop";
  job.kind = "web";
  job.status.state = JobState::paused;
  job.status.pause_reason = PauseReason::user;
  job.status.check = CheckState::ok;
  job.status.next_run_at = kNoon;
  job.status.queued_run = QueuedRun{RunTrigger::manual, kNoon};
  job.mistake = "line 1";
  job.stats.runs = 3;
  job.stats.succeeded = 2;
  job.stats.failed = 1;
  JsonWriter writer;
  write_job(writer, job);

  EXPECT_EQ(writer.text(),
            R"({"id":"shop","name":"Shop","kind":"web","state":"paused","pause_reason":"user",)"
            R"("check_state":"ok","mistake":"line 1","next_run_at":"2026-11-15T12:00:00.000Z",)"
            R"("waiting":{"trigger":"manual","since":"2026-11-15T12:00:00.000Z"},)"
            R"("current_run":null,"last_run":null,"stats":{"runs":3,"succeeded":2,"pages":0,)"
            R"("new_items":0,"failed_pages":0,"average_ms":0,"p95_ms":0,"success_rate":0.667,)"
            R"("change_rate":0.000,"last_change_at":null}})");
}

TEST(JobView, AddsDaysAndProgramsToDetails) {
  JobDetails details;
  details.price_days.push_back({.day = 20773,
                                .page = "http://x/",
                                .field = "price",
                                .points = 2,
                                .lowest = 1.5,
                                .highest = 2,
                                .average = 1.75});
  JsonWriter writer;
  write_job_details(writer, details);

  const json::value parsed = json::parse(writer.text());
  EXPECT_EQ(parsed.at("days"), json::array());
  EXPECT_EQ(parsed.at("price_days"),
            json::parse(R"([{"day":"2026-11-16","field":"price","page":"http://x/","points":2,)"
                        R"("lowest":1.5,"highest":2,"average":1.75}])"));
  EXPECT_EQ(parsed.at("programs").at("phase"), "pending");
}

TEST(JobView, WritesTheResultOrTheErrorOfAnAction) {
  JsonWriter writer;
  writer.begin_array();
  write_action_result(writer, {"shop", "paused", "", "it waits for a page"});
  write_action_result(writer, {"news", "", "it is archived"});
  EXPECT_EQ(writer.end_array().text(),
            R"([{"job_id":"shop","state":"paused","remark":"it waits for a page"},)"
            R"({"job_id":"news","error":"it is archived"}])");
}

}  // namespace
}  // namespace heddle::views

#include "views/daemon_view.hpp"

#include <gtest/gtest.h>

#include "store/empty_reader.hpp"

namespace heddle::views {
namespace {

using namespace std::chrono_literals;

class OneFailingJob : public store::EmptyReader {
 public:
  Result<std::vector<JobStatus>> job_statuses() override {
    ADD_FAILURE() << "reads all jobs for those that fail";
    return std::vector<JobStatus>();
  }
  Result<std::vector<JobStatus>> failing_jobs() override {
    std::vector<JobStatus> statuses(1);
    statuses[0].job = JobId{"shop"};
    statuses[0].check = CheckState::failing;
    return statuses;
  }
};

TEST(DaemonView, HasOnlyTheJobsWhoseChecksFail) {
  OneFailingJob reader;
  const auto view = read_daemon_view(reader, {});
  ASSERT_TRUE(view);
  ASSERT_EQ(view->failing.size(), 1u);
  EXPECT_EQ(view->failing.front().job.text, "shop");
}

TEST(DaemonView, WritesReportsOfTheDaemonAndOfTheStore) {
  DaemonView view;
  view.daemon.pid = 12;
  view.daemon.version = "1.0";
  view.daemon.uptime = 90s;
  view.daemon.jobs = 3;
  view.daemon.runs_under_way = 1;
  view.daemon.loop_latency = 1500us;
  view.daemon.database_bytes = 4096;
  view.daemon.storage_used = 5000;
  view.daemon.storage_limit = 9000;
  view.daemon.storage_level = "fine";
  view.backlog = {.pages = 4, .messages = 5, .dead_letters = 6};
  view.alerts = {{"storage", AlertLevel::warning, "the disk fills", WallTime{}}};
  view.failing.resize(1);
  view.failing[0].job = JobId{"shop"};
  view.failing[0].check = CheckState::blocked;
  JsonWriter json;
  write_daemon(json, view);

  EXPECT_EQ(json.text(),
            R"({"pid":12,"version":"1.0","uptime_ms":90000,"jobs":3,"runs_under_way":1,)"
            R"("pages_waiting":4,"messages_waiting":5,"dead_letters":6,"loop_latency_us":1500,)"
            R"("database_bytes":4096,"storage":{"used_bytes":5000,"limit_bytes":9000,)"
            R"("level":"fine"},"alerts":[{"key":"storage","level":"warning",)"
            R"("text":"the disk fills","since":"1970-01-01T00:00:00.000Z"}],)"
            R"("checks":[{"job_id":"shop","check_state":"blocked"}],"workers":[]})");
}

TEST(WorkerView, WritesNullForWhatASlotWithoutAProcessLacks) {
  control::WorkerStatus worker;
  worker.name = "worker 2";
  worker.number = 2;
  worker.state = "down";
  JsonWriter json;
  write_worker(json, worker);

  EXPECT_EQ(json.text(),
            R"({"slot":2,"name":"worker 2","state":"down","pid":null,"occurrence":0,)"
            R"("uptime_ms":0,"rss_bytes":0,"restarts_in_window":0,"jobs":[],"working_on":null,)"
            R"("last_event":null})");
}

TEST(WorkerView, WritesTheProcessAndItsLastEvent) {
  control::WorkerStatus worker;
  worker.pid = 77;
  worker.jobs = {"news", "shop"};
  worker.working_on = "shop";
  worker.last_event = "crashed";
  worker.last_event_detail = "signal 9";
  JsonWriter json;
  write_worker(json, worker);

  EXPECT_EQ(json.text(),
            R"({"slot":0,"name":"","state":"","pid":77,"occurrence":0,"uptime_ms":0,)"
            R"("rss_bytes":0,"restarts_in_window":0,"jobs":["news","shop"],"working_on":"shop",)"
            R"("last_event":{"reason":"crashed","time":"1970-01-01T00:00:00.000Z",)"
            R"("detail":"signal 9"}})");
}

}  // namespace
}  // namespace heddle::views

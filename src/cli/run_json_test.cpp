#include "cli/run_json.hpp"

#include <boost/json.hpp>
#include <gtest/gtest.h>

namespace heddle::cli {
namespace {

namespace json = boost::json;

TEST(RunJson, MatchesTheContract) {
  heddle::Run run;
  run.id = RunId{"r1"};
  run.job = JobId{"shop"};
  run.state = RunState::completed;
  run.started_at = *parse_iso8601("2026-11-15T12:00:00Z");
  run.ended_at = run.started_at + std::chrono::milliseconds(1250);
  run.pages = {.total = 3, .done = 2, .failed = 1, .skipped = 0};
  run.items = {.seen = 12, .fresh = 4, .changed = 0, .gone = 2};
  run.changes = 1;
  run.cpu = std::chrono::microseconds(20500);
  run.slots = {0, 3};
  run.errors = {{"timeout", "took \"too\" long", "http://x/"}};
  JsonWriter writer;
  write_run(writer, run);

  const json::value parsed = json::parse(writer.text());
  EXPECT_EQ(parsed.at("job"), "shop");
  EXPECT_EQ(parsed.at("run_id"), "r1");
  EXPECT_EQ(parsed.at("state"), "completed");
  EXPECT_EQ(parsed.at("pages"), json::parse(R"({"total":3,"done":2,"failed":1,"skipped":0})"));
  EXPECT_EQ(parsed.at("items"), json::parse(R"({"seen":12,"new":4,"changed":0,"gone":2})"));
  EXPECT_EQ(parsed.at("errors").at(0).at("message"), "took \"too\" long");
  EXPECT_EQ(parsed.at("duration_ms"), 1250);
  EXPECT_EQ(parsed.at("changes"), 1);
  EXPECT_EQ(parsed.at("cpu_ms"), 20.5);
  EXPECT_EQ(parsed.at("slots"), json::parse("[0,3]"));
}

TEST(RunJson, IncludesPricesOnlyWhenTheyWereTracked) {
  heddle::Run run;
  JsonWriter without;
  write_run(without, run);
  EXPECT_FALSE(json::parse(without.text()).as_object().contains("price_changes"));
  run.price_changes = 0;
  JsonWriter with;
  write_run(with, run);
  EXPECT_EQ(json::parse(with.text()).at("price_changes"), 0);
}

TEST(RunJson, FormatsResourceUsageAsText) {
  heddle::Run run;
  EXPECT_EQ(usage_text(run), "");
  run.cpu = std::chrono::milliseconds(20);
  run.slots = {0, 3};
  EXPECT_EQ(usage_text(run), "20 ms of CPU time in worker 0, 3");
}

TEST(RunJson, HasANullEndForAnUnfinishedRun) {
  JsonWriter writer;
  write_run(writer, heddle::Run{});
  const json::value parsed = json::parse(writer.text());
  EXPECT_TRUE(parsed.at("ended_at").is_null());
  EXPECT_TRUE(parsed.at("duration_ms").is_null());
}

TEST(RecordJson, MatchesTheContract) {
  Record record;
  record.id = 7;
  record.job = JobId{"shop"};
  record.url = "http://x/";
  record.item.fields = {{"name", "Kettle"}, {"price", "€ 3"}};
  record.item.values_json = R"({"price":{"amount":"3","currency":"EUR"}})";
  record.item.matches = {"kettle"};
  record.state = "present";
  JsonWriter writer;
  write_record(writer, record);

  const json::value parsed = json::parse(writer.text());
  EXPECT_EQ(parsed.at("id"), 7);
  EXPECT_EQ(parsed.at("fields"), json::parse(R"({"name":"Kettle","price":"€ 3"})"));
  EXPECT_EQ(parsed.at("values").at("price").at("currency"), "EUR");
  EXPECT_EQ(parsed.at("matches").at(0), "kettle");
  EXPECT_EQ(parsed.at("state"), "present");
  EXPECT_TRUE(parsed.at("first_seen").is_string());
}

}  // namespace
}  // namespace heddle::cli

#include "cli/run_json.hpp"

#include <boost/json.hpp>
#include <gtest/gtest.h>

namespace heddle::cli {
namespace {

namespace json = boost::json;

TEST(RunJson, HasTheShapeOfTheContract) {
  heddle::Run run;
  run.id = RunId{"r1"};
  run.job = JobId{"shop"};
  run.state = RunState::completed;
  run.started_at = *parse_iso8601("2026-11-15T12:00:00Z");
  run.ended_at = run.started_at + std::chrono::milliseconds(1250);
  run.pages = {.total = 3, .done = 2, .failed = 1, .skipped = 0};
  run.items = {.seen = 12, .fresh = 4, .changed = 0};
  run.errors = {{"timeout", "took \"too\" long", "http://x/"}};
  JsonWriter writer;
  write_run(writer, run);

  const json::value parsed = json::parse(writer.text());
  EXPECT_EQ(parsed.at("job"), "shop");
  EXPECT_EQ(parsed.at("run_id"), "r1");
  EXPECT_EQ(parsed.at("state"), "completed");
  EXPECT_EQ(parsed.at("pages"), json::parse(R"({"total":3,"done":2,"failed":1,"skipped":0})"));
  EXPECT_EQ(parsed.at("items"), json::parse(R"({"seen":12,"new":4,"changed":0})"));
  EXPECT_EQ(parsed.at("errors").at(0).at("message"), "took \"too\" long");
  EXPECT_EQ(parsed.at("duration_ms"), 1250);
}

TEST(RunJson, SaysNullForARunThatHasNotEnded) {
  JsonWriter writer;
  write_run(writer, heddle::Run{});
  const json::value parsed = json::parse(writer.text());
  EXPECT_TRUE(parsed.at("ended_at").is_null());
  EXPECT_TRUE(parsed.at("duration_ms").is_null());
}

TEST(RecordJson, HasTheShapeOfTheContract) {
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

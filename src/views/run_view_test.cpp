#include "views/run_view.hpp"

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "store/empty_reader.hpp"

namespace heddle::views {
namespace {

namespace json = boost::json;

TEST(RunView, MatchesTheContract) {
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
  run.peak_memory_bytes = 7000;
  run.errors = {{ErrorKind::timeout, "took \"too\" long", "http://x/"},
                {ErrorKind::empty_field, "field \"price\" is empty", "http://y/"}};
  JsonWriter writer;
  write_run(writer, run);

  const json::value parsed = json::parse(writer.text());
  EXPECT_EQ(parsed.at("job"), "shop");
  EXPECT_EQ(parsed.at("job_id"), "shop");  // as in every other document
  EXPECT_EQ(parsed.at("run_id"), "r1");
  EXPECT_EQ(parsed.at("state"), "completed");
  EXPECT_EQ(parsed.at("pages"), json::parse(R"({"total":3,"done":2,"failed":1,"skipped":0})"));
  EXPECT_EQ(parsed.at("items"), json::parse(R"({"seen":12,"new":4,"changed":0,"gone":2})"));
  EXPECT_EQ(parsed.at("errors").at(0).at("message"), "took \"too\" long");
  EXPECT_EQ(parsed.at("errors").as_array().size(), 1u);
  EXPECT_EQ(parsed.at("notices").as_array().size(), 1u);
  EXPECT_EQ(parsed.at("notices").at(0).at("kind"), "empty_field");
  EXPECT_EQ(parsed.at("duration_ms"), 1250);
  EXPECT_EQ(parsed.at("changes"), 1);
  EXPECT_EQ(parsed.at("cpu_ms"), 20.5);
  EXPECT_EQ(parsed.at("slots"), json::parse("[0,3]"));
  EXPECT_EQ(parsed.at("peak_memory_bytes"), 7000);
}

TEST(RunView, IncludesPricesOnlyWhenTheyWereTracked) {
  heddle::Run run;
  JsonWriter without;
  write_run(without, run);
  EXPECT_FALSE(json::parse(without.text()).as_object().contains("price_changes"));
  run.price_changes = 0;
  JsonWriter with;
  write_run(with, run);
  EXPECT_EQ(json::parse(with.text()).at("price_changes"), 0);
}

TEST(RunView, HasANullEndForAnUnfinishedRun) {
  JsonWriter writer;
  write_run(writer, heddle::Run{});
  const json::value parsed = json::parse(writer.text());
  EXPECT_TRUE(parsed.at("ended_at").is_null());
  EXPECT_TRUE(parsed.at("duration_ms").is_null());
}

TEST(RunView, WritesTheSumsOfADay) {
  RunDay day;
  day.day = 20773;
  day.runs = 3;
  day.completed = 2;
  day.failed = 1;
  day.duration = std::chrono::milliseconds(1500);
  day.pages = {.total = 9, .done = 7, .failed = 1, .skipped = 1};
  day.items = {.seen = 20, .fresh = 2, .changed = 1, .gone = 0};
  day.changes = 4;
  day.price_changes = 1;
  day.cpu = std::chrono::microseconds(20250);
  day.bytes = 1024;
  JsonWriter writer;
  write_run_day(writer, day);

  EXPECT_EQ(writer.text(),
            R"({"day":"2026-11-16","runs":3,"completed":2,"failed":1,"duration_ms":1500,)"
            R"("pages":{"total":9,"done":7,"failed":1,"skipped":1},)"
            R"("items":{"seen":20,"new":2,"changed":1,"gone":0},)"
            R"("changes":4,"price_changes":1,"cpu_ms":20.250,"bytes":1024})");
}

TEST(TraceView, ReadsNothingOfAnUnknownRun) {
  store::EmptyReader reader;
  const auto trace = read_run_trace(reader, RunId{"r1"});
  ASSERT_TRUE(trace);
  EXPECT_FALSE(*trace);
}

TEST(TraceView, WritesEveryStageOfAPage) {
  RunTrace trace;
  trace.run.id = RunId{"r1"};
  store::TaskTrace page;
  page.task = {RunId{"r1"}, 4, "http://x/", 2};
  page.state = TaskState::dead;
  page.error = "timeout";
  page.trace[Stage::fetch] = {StageStatus::error, std::chrono::microseconds(2500), "too slow"};
  page.trace[Stage::after_extract] = {.status = StageStatus::success,
                                      .note = "kept",
                                      .lua_mem_bytes = 9000,
                                      .mem_delta_bytes = -10};
  JsonWriter writer;
  begin_run_trace(writer, trace);
  std::string text = writer.take_part();
  write_traced_page(writer, page);
  write_traced_page(writer, page);
  text += writer.take_part();
  end_run_trace(writer);
  text += writer.take_part();

  const json::value parsed = json::parse(text);
  EXPECT_EQ(parsed.at("run_id"), "r1");
  EXPECT_EQ(parsed.at("pages").as_array().size(), 2u);
  EXPECT_EQ(parsed.at("run").at("run_id"), "r1");
  const json::value& written = parsed.at("pages").at(0);
  EXPECT_EQ(written.at("task"), 4);
  EXPECT_EQ(written.at("state"), "dead");
  EXPECT_EQ(written.at("attempt"), 2);
  EXPECT_EQ(written.at("error"), "timeout");
  const json::array& stages = written.at("stages").as_array();
  ASSERT_EQ(stages.size(), kStageCount);
  EXPECT_EQ(stages[2], json::parse(R"({"name":"fetch","status":"error","type":"internal",)"
                                   R"("duration_ms":2.500,"error":"too slow"})"));
  EXPECT_EQ(stages[6], json::parse(R"({"name":"after_extract","status":"success","type":"hook",)"
                                   R"("duration_ms":0.000,"lua_mem_bytes":9000,)"
                                   R"("mem_delta_bytes":-10,"note":"kept"})"));
}

TEST(ProgramView, WritesProcessesAndHooks) {
  ProgramHistory history;
  ProcessRecord process;
  process.index = 1;
  process.pid = 77;
  process.state = ProcessState::failed;
  process.ended_at = WallTime{} + std::chrono::seconds(1);
  process.exit.code = 3;
  process.peak_memory_bytes = 5000;
  process.cpu_time = std::chrono::milliseconds(20);
  process.problem = "killed";
  history.processes = {process};
  HookRecord hook;
  hook.hook = "tidy";
  hook.phase = HookPhase::post_stop;
  hook.state = HookState::succeeded;
  hook.output = "ok";
  history.hooks = {hook};
  JsonWriter writer;
  write_programs(writer, history, RunState::failed);

  const json::value parsed = json::parse(writer.text());
  EXPECT_EQ(parsed.at("failed"), 1);
  EXPECT_EQ(parsed.at("processes"),
            json::parse(R"([{"pid":77,"index":1,"attempt":1,"state":"failed",)"
                        R"("started_at":"1970-01-01T00:00:00.000Z",)"
                        R"("ended_at":"1970-01-01T00:00:01.000Z","exit_code":3,"signal":null,)"
                        R"("peak_memory_bytes":5000,"cpu_ms":20,"ready":false,)"
                        R"("problem":"killed"}])"));
  EXPECT_EQ(parsed.at("hooks"),
            json::parse(R"([{"name":"tidy","phase":"post_stop","attempt":1,"state":"succeeded",)"
                        R"("started_at":"1970-01-01T00:00:00.000Z","ended_at":null,)"
                        R"("exit_code":null,"signal":null,"output":"ok"}])"));
}

}  // namespace
}  // namespace heddle::views

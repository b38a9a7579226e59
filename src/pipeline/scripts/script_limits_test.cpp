// Limits on scripts that take too long, and their effect on other jobs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "base/free_with.hpp"
#include "pipeline/pipeline_for_test.hpp"

namespace heddle::pipeline {
namespace {

using namespace std::chrono_literals;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

// Holds a write transaction on the scripts' database while in scope.
class OtherWriter {
 public:
  explicit OtherWriter(const std::filesystem::path& file) {
    sqlite3* raw = nullptr;
    sqlite3_open(file.c_str(), &raw);
    db_.reset(raw);
    sqlite3_busy_timeout(raw, 30'000);
    is_holding_ = sqlite3_exec(raw, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr) == SQLITE_OK;
  }
  [[nodiscard]] bool is_holding() const { return is_holding_; }

 private:
  std::unique_ptr<sqlite3, FreeWith<sqlite3_close_v2>> db_;
  bool is_holding_ = false;
};

TEST(ScriptLimits, ApplyWhileTheDatabaseIsBusy) {
  for (const char* call : {"db_exec, 'CREATE TABLE t (a)'", "store_set, 'a', 'b'"}) {
    PipelineForTest world;
    world.project.script.wall_limit = 300ms;
    ASSERT_TRUE(world.load(std::string("function on_success() print(pcall(") + call + ")) end"));
    ASSERT_TRUE(world.scripts->database());
    {
      const OtherWriter other(world.project.data_dir / "scripts.db");
      ASSERT_TRUE(other.is_holding());
      world.cycle();
      // The binding gives up at the limit. A busy machine may resume the script only after it.
      EXPECT_THAT(world.log.text(), AnyOf(HasSubstr("no answer within the time limit"),
                                          HasSubstr("took longer than 300ms (script.wall_limit)")))
          << call;
    }
  }
}

TEST(ScriptLimits, FailTheCycleWhenOverrideFetchExceedsThem) {
  PipelineForTest world;
  world.project.script.cpu_limit = 50ms;
  ASSERT_TRUE(world.load(R"(
    function override_fetch() while true do end end
    function after_fetch(result)
      return { ok = true, response = { status = 200, body = "<li><b>Spare</b></li>" } }
    end
    function on_error(err, ctx) print("on_error", ctx.last_fetch.ok) end
  )"));
  const auto end = world.cycle();
  EXPECT_THAT(failure_text(end), HasSubstr("override_fetch"));
  EXPECT_THAT(world.log.text(), HasSubstr("on_error\tfalse"));
}

// One cycle computes in slices; the other must not enter the VM in between.
TEST(ScriptLimits, LetOneCycleComputeAtATime) {
  PipelineForTest world;
  world.project.script.slice = 1ms;
  world.site.answer("/2", testing::html(PipelineForTest::kPage));
  ASSERT_TRUE(world.load(R"(
    local is_busy, rounds = false, 0
    function after_fetch(result)
      assert(not is_busy, "two at a time")
      is_busy = true
      for i = 1, 3000000 do end
      is_busy = false
      rounds = rounds + 1
      print("round", rounds)
      return result
    end
  )"));
  CycleSpec specs[2];
  specs[0].lease = world.lease(world.site.url("/"));
  specs[1].lease = world.lease(world.site.url("/2"));
  int finished = 0;
  const auto busy = boost::asio::make_work_guard(world.loop);
  world.loop.restart();
  for (const CycleSpec& spec : specs)
    boost::asio::co_spawn(
        world.loop, run_cycle(*world.services, *world.session, spec),
        [&finished](const std::exception_ptr&, const CycleResult&) { ++finished; });
  while (finished < 2) world.loop.run_one();
  EXPECT_THAT(world.log.text(), HasSubstr("round\t2"));
  EXPECT_THAT(world.log.text(), Not(HasSubstr("two at a time")));
}

TEST(ScriptLimits, ReportTheMemoryOfAHookInTheTrace) {
  PipelineForTest world;
  ASSERT_TRUE(
      world.load("function after_extract(items) kept = ('x'):rep(1000000) return items end"));
  const auto end = world.cycle();
  EXPECT_GT(end.trace[Stage::after_extract].mem_delta_bytes, 900'000);
  EXPECT_GE(end.trace[Stage::after_extract].lua_mem_bytes,
            end.trace[Stage::after_extract].mem_delta_bytes);
}

}  // namespace
}  // namespace heddle::pipeline

// Several workers of one job in one VM.
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/pipeline_for_test.hpp"
#include "queue/local/store_queue.hpp"
#include "tests/support/thread_cpu_time.hpp"
#include "worker/page_runner.hpp"

namespace heddle::worker {
namespace {

using pipeline::PipelineForTest;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using testing::thread_cpu_time;

class ScriptedRun : public ::testing::Test {
 protected:
  PagesReport run(const std::string& hooks, int workers, int pages) {
    world.job.workers = workers;
    world.job.is_url_list = true;
    world.job.stagger = std::chrono::milliseconds(0);
    world.job.retry.max = 0;
    world.site.handle_rest([](const testing::SiteRequest& request) {
      if (request.path == "/bad") return testing::SiteResponse{.status = 404};
      return testing::html("<li><b>" + request.path + "</b></li>");
    });
    std::vector<std::string> urls;
    for (int i = 1; i < pages; ++i) urls.push_back(world.site.url("/p" + std::to_string(i)));
    urls.push_back(world.site.url("/bad"));
    return run_pages(hooks, urls);
  }

  PagesReport run_pages(const std::string& hooks, const std::vector<std::string>& urls) {
    auto loaded = world.load(hooks);
    EXPECT_TRUE(loaded) << loaded.error().message;
    heddle::Run run;
    run.id = RunId{"run"};
    run.job = world.job.id;
    run.started_at = world.clock.now();
    EXPECT_TRUE(world.drive(world.store->begin_run(run, urls)));
    queue::StoreQueue queue(*world.store, run.id, world.clock, 16);
    PageRunner runner(*world.services, *world.session, queue, {});
    return world.drive(runner.run());
  }

  PipelineForTest world;
};

TEST_F(ScriptedRun, SharesGlobalsAndNumbersItsWorkers) {
  const auto report = run(R"(
    count, ids = 0, {}
    function before_fetch(request, ctx)
      count = count + 1
      ids[ctx.worker_id] = true
      sleep(5)
      return request
    end
    function on_finished() log("pages " .. count .. " workers " .. #ids) end
  )",
                          4, 20);
  EXPECT_EQ(report.pages.done, 19);
  EXPECT_EQ(report.pages.failed, 1);
  EXPECT_THAT(world.log.text(), HasSubstr("pages 20 workers 4\n"));
}

TEST_F(ScriptedRun, RunsOneCyclePerWorkerOnASinglePage) {
  world.job.workers = 4;
  world.job.stagger = std::chrono::milliseconds(15);  // usually longer than a cycle
  world.job.retry.max = 0;
  world.site.answer("/", testing::html("<li><b>one</b></li>"));
  const auto report = run_pages("function on_finally(ctx) print(ctx.worker_id) end",
                                std::vector<std::string>(4, world.site.url("/")));
  EXPECT_EQ(report.pages.done, 4);
  for (const char* worker : {"1\n", "2\n", "3\n", "4\n"})
    EXPECT_THAT(world.log.text(), HasSubstr(worker));
}

TEST_F(ScriptedRun, KeepsTheWorkerNumberOfARetriedPage) {
  world.job.workers = 2;
  world.job.stagger = std::chrono::milliseconds(0);
  world.job.retry = {};
  world.job.retry.base = std::chrono::milliseconds(1);
  world.site.answer("/", testing::html("<li><b>one</b></li>"));
  const auto report = run_pages(R"(
    tries = {}
    function override_fetch(request, ctx)
      tries[ctx.worker_id] = (tries[ctx.worker_id] or 0) + 1
      if tries[ctx.worker_id] == 1 then return { status = 500, body = "" } end
      return { status = 200, body = "<li><b>" .. ctx.worker_id .. "</b></li>" }
    end
    function on_finished() print(tries[1], tries[2], tries[3]) end
  )",
                                std::vector<std::string>(2, world.site.url("/")));
  EXPECT_EQ(report.pages.done, 2);
  EXPECT_EQ(world.log.text(), "2\t2\tnil\n");
}

TEST_F(ScriptedRun, SwitchesTheCycleGlobalsWithTheRunningCycle) {
  run(R"(
    function after_fetch(result, ctx)
      local mine = result.request.url
      sleep(3)
      if last_fetch.request.url ~= mine or ctx.last_fetch.request.url ~= mine then
        print("MIXED UP " .. mine .. " " .. last_fetch.request.url)
      end
      return result
    end
    function after_extract(items, ctx)
      sleep(3)
      if selector_matches ~= ctx.selector_matches then print("MIXED UP") end
      return items
    end
    function on_finished()
      if last_fetch ~= nil or selector_matches ~= nil then print("NOT WIPED") end
    end
  )",
      8, 30);
  EXPECT_EQ(world.log.text(), "");
}

TEST_F(ScriptedRun, IsolatesAFailingCycle) {
  const auto report = run(R"(
    failed, fine = 0, 0
    function override_extract(response)
      if response.url:find("p3") then error("odd") end
      return { { fields = { name = response.url } } }
    end
    function on_error(err, ctx) failed = failed + 1 end
    function on_success(ctx) fine = fine + 1 end
    function on_finished() print(failed .. " failed, " .. fine .. " fine") end
  )",
                          3, 10);
  EXPECT_EQ(report.pages.failed, 2);
  EXPECT_THAT(world.log.lines.back(), HasSubstr("2 failed, 8 fine"));
}

TEST_F(ScriptedRun, CallsOnFinishedOnceAfterTheLastPage) {
  run(R"(
    function on_finally(ctx) print("finally") end
    function on_finished() print("finished") end
  )",
      4, 5);
  EXPECT_EQ(world.log.text(), "finally\nfinally\nfinally\nfinally\nfinally\nfinished\n");
}

// Half of the work is done while pages are read, half after the last commit.
TEST_F(ScriptedRun, StoresTheCpuTimeOfTheRun) {
  const auto before = thread_cpu_time();
  run(R"(
    local function spin(count) local x = 0 for i = 1, count do x = x + i % 7 end return x end
    function after_extract(items) spin(3e6) return items end
    function on_finished() spin(9e6) end
  )",
      2, 4);
  const auto all = thread_cpu_time() - before;
  auto stored = world.drive(world.store->find_run({"run"}));
  ASSERT_TRUE(stored && *stored);
  EXPECT_GE((*stored)->cpu, all * 3 / 4);
  EXPECT_LE((*stored)->cpu, all);
}

TEST_F(ScriptedRun, CountsParsingAsCpuTime) {
  std::string page = "<ul>";
  for (int i = 0; i < 20'000; ++i) page += "<li><b>" + std::to_string(i) + "</b></li>";
  world.site.answer("/", testing::html(page));
  run_pages("", {world.site.url("/")});
  auto stored = world.drive(world.store->find_run({"run"}));
  ASSERT_TRUE(stored && *stored);
  EXPECT_GE((*stored)->cpu, std::chrono::milliseconds(2));
}

TEST_F(ScriptedRun, CountsSkippedPages) {
  const auto report = run(
      "function before_fetch(r) if r.url:find('p[12]$') then return nil end return r end", 2, 6);
  EXPECT_EQ(report.pages.skipped, 2);
  EXPECT_EQ(report.pages.done, 3);
}

}  // namespace
}  // namespace heddle::worker

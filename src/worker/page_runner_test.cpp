// How many pages of a run are in flight at a time.
#include "worker/page_runner.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/wake_signal.hpp"
#include "pipeline/pipeline_for_test.hpp"
#include "queue/local/store_queue.hpp"

namespace heddle::worker {
namespace {

using namespace std::chrono_literals;
using pipeline::PipelineForTest;
using testing::misbehaving;

// Delays commits until `wanted` of them wait, or for `timeout`.
class SlowStore final : public store::PageStore {
 public:
  SlowStore(store::PageStore& real, int wanted, std::chrono::milliseconds timeout)
      : real_(real), wanted_(wanted), timeout_(timeout) {}

  Async<Result<TaskBatch>> lease_tasks(RunId run, std::size_t max, WallTime now) override {
    return real_.lease_tasks(std::move(run), max, now);
  }
  Async<Status> postpone(TaskRetry retry) override { return real_.postpone(std::move(retry)); }
  Async<Status> dead_letter(TaskDeath death) override {
    return real_.dead_letter(std::move(death));
  }
  Async<Status> charge(RunId run, PageCost cost) override {
    return real_.charge(std::move(run), cost);
  }
  Async<Result<std::optional<PageMemory>>> recall_page(JobId job, std::string url) override {
    return real_.recall_page(std::move(job), std::move(url));
  }
  Async<Result<std::optional<std::string>>> newest_body(JobId job, std::string url) override {
    return real_.newest_body(std::move(job), std::move(url));
  }
  Async<Result<store::KnownAnswer>> find_known(store::KnownQuery query) override {
    return real_.find_known(std::move(query));
  }

  Async<Result<CommitReceipt>> commit(PageResult page) override {
    if (unhindered-- > 0) co_return co_await real_.commit(std::move(page));
    max_waiting = std::max(max_waiting, ++waiting_);
    if (max_waiting >= wanted_) enough_.close();
    co_await enough_.wait_for(timeout_);
    auto receipt = co_await real_.commit(std::move(page));
    --waiting_;
    co_return receipt;
  }

  int max_waiting = 0;
  int unhindered = 0;  // the first commits, which wait for nothing

 private:
  store::PageStore& real_;
  int wanted_;
  std::chrono::milliseconds timeout_;
  int waiting_ = 0;
  WakeSignal enough_;
};

class PageRunnerTest : public ::testing::Test {
 protected:
  // Returns the maximum number of concurrent commits.
  int max_concurrent_commits(const std::string& hooks, int wanted,
                             std::chrono::milliseconds timeout) {
    world.job.workers = 2;
    world.job.is_url_list = true;
    world.job.stagger = 0ms;
    world.site.handle_rest([](const testing::SiteRequest& request) {
      return testing::html("<li><b>" + request.path + "</b></li>");
    });
    auto loaded = world.load(hooks);
    EXPECT_TRUE(loaded) << loaded.error().message;
    heddle::Run run;
    run.id = RunId{"run"};
    run.job = world.job.id;
    run.started_at = world.clock.now();
    std::vector<std::string> urls;
    for (int i = 0; i < 12; ++i) urls.push_back(world.site.url("/p" + std::to_string(i)));
    EXPECT_TRUE(world.drive(world.store->begin_run(run, urls)));
    SlowStore store(*world.store, wanted, timeout);
    EXPECT_EQ(pages_done(store, run.id), 12);
    return store.max_waiting;
  }

  std::int64_t pages_done(SlowStore& store, const RunId& run) {
    const pipeline::CycleServices services{*world.client,  *world.gate,    *world.robots, store,
                                           world.parser,   world.project,  world.clock,   world.log,
                                           world.activity, world.downloads};
    queue::StoreQueue queue(store, run, world.clock, 16);
    PageRunner runner(services, *world.session, queue, {});
    return world.drive(runner.run()).pages.done;
  }

  PipelineForTest world;
};

// Runs the job's page once; returns its end as "state, dead letters".
std::string end_of_page(PipelineForTest& world) {
  auto loaded = world.load();
  EXPECT_TRUE(loaded) << loaded.error().message;
  heddle::Run run;
  run.id = RunId{"run"};
  run.job = world.job.id;
  run.started_at = world.clock.now();
  EXPECT_TRUE(world.drive(world.store->begin_run(run, {world.site.url("/")})));
  queue::StoreQueue queue(*world.store, run.id, world.clock, 16);
  std::string text;
  PageRunner* runner = nullptr;
  PageRunnerOptions options;
  options.on_page = [&](const PageReport& page) {
    text = std::string(to_text(page.state));
    if (page.state == TaskState::retry) text += page.wait >= 60s ? " in a minute" : " soon";
    runner->stop();  // a retry is not waited for
  };
  PageRunner own(*world.services, *world.session, queue, options);
  runner = &own;
  world.drive(own.run());
  auto reader = store::SqliteReader::open(world.project.data_dir / "heddle.db");
  EXPECT_TRUE(reader);
  int letters = 0;
  EXPECT_TRUE((*reader)->for_each_dead_letter({}, [&letters](const DeadLetter&) {
    ++letters;
    return true;
  }));
  return text + ", " + std::to_string(letters) + " dead letters";
}

TEST_F(PageRunnerTest, LeavesNoDeadLetterOfABrokenExpectation) {
  world.job.expect.contains = {"Coffee"};
  EXPECT_EQ(end_of_page(world), "dead, 0 dead letters");
}

TEST_F(PageRunnerTest, RetriesAnUnexpectedStatusThatMayPass) {
  world.job.expect.status = {{200, 299}};
  world.site.answer("/", {.status = 503});
  EXPECT_EQ(end_of_page(world), "retry soon, 0 dead letters");
}

TEST_F(PageRunnerTest, LeavesADeadLetterOfAnHttpErrorUnlessOnlyTheStatusIsWatched) {
  world.site.answer("/", misbehaving(testing::SiteBehaviour::no_answer));
  world.job.retry.max = 0;
  EXPECT_EQ(end_of_page(world), "dead, 1 dead letters");
  PipelineForTest other;
  other.site.answer("/", misbehaving(testing::SiteBehaviour::no_answer));
  other.job.retry.max = 0;
  other.job.watch = WatchKind::status;
  EXPECT_EQ(end_of_page(other), "dead, 0 dead letters");
}

TEST_F(PageRunnerTest, RetriesAWrongPageOnceAfterAMinute) {
  const auto wall = testing::html(
      "<title>Just a moment...</title><h1>Checking your browser</h1>"
      "<p>Verify you are human</p><script>_cf_chl_opt={}</script>");
  world.site.answer("/", wall);
  EXPECT_EQ(end_of_page(world), "retry in a minute, 0 dead letters");
  for (const auto& [page, end] :
       {std::pair{wall, "dead, 0 dead letters"},
        {testing::html("<title>Page not found</title><h1>Page not found</h1>"),
         "dead, 1 dead letters"}}) {
    PipelineForTest other;
    other.site.answer("/", page);
    other.job.retry.max = 0;
    EXPECT_EQ(end_of_page(other), end);
  }
}

TEST_F(PageRunnerTest, StartsTheNextPageDuringACommit) {
  EXPECT_EQ(max_concurrent_commits("", 4, 30s), 4);
}

TEST_F(PageRunnerTest, LimitsConcurrentCommitsToTheNumberOfCycles) {
  EXPECT_EQ(max_concurrent_commits("", 5, 100ms), 4);
}

TEST_F(PageRunnerTest, StartsTheNextPageAfterTheCommitWhenThereIsAScript) {
  EXPECT_EQ(max_concurrent_commits("function filter_item(item) return item end", 3, 50ms), 2);
}

TEST_F(PageRunnerTest, GivesFoundPagesToIdleWorkers) {
  world.job.workers = 4;
  world.job.stagger = 0ms;
  world.job.is_url_list = true;
  world.job.discover.is_enabled = true;
  world.job.discover.follow = {FollowKind::links};
  world.site.handle_rest([](const testing::SiteRequest& request) {
    if (request.path == "/robots.txt") return testing::SiteResponse{404};
    return testing::html("<li><b>" + request.path + "</b></li>");
  });
  world.site.answer("/", testing::html("<a href='/list'>x</a>"));
  world.site.answer("/list", testing::html("<a href='/p0'>x</a><a href='/p1'>x</a>"
                                           "<a href='/p2'>x</a><a href='/p3'>x</a>"));
  ASSERT_TRUE(world.load());
  heddle::Run run;
  run.id = RunId{"run"};
  run.job = world.job.id;
  run.started_at = world.clock.now();
  run.most_pages = 100;
  ASSERT_TRUE(world.drive(world.store->begin_run(run, {world.site.url("/")})));
  SlowStore store(*world.store, 4, 30s);
  store.unhindered = 2;  // the first page, and the one that leads to the others
  EXPECT_EQ(pages_done(store, run.id), 6);
  EXPECT_EQ(store.max_waiting, 4);
}

}  // namespace
}  // namespace heddle::worker

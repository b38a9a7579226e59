#include "queue/local/store_queue.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <gtest/gtest.h>

#include "store/sqlite/core/connection.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "tests/support/run_async.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::queue {
namespace {

using namespace std::chrono_literals;
using heddle::testing::run_async;

class StoreQueueTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened = store::SqliteStore::open(folder_.path() / "heddle.db");
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::move(*opened);
  }

  Async<void> begin(std::size_t pages) {
    store::JobName job{JobId{"job"}, "Job", "web", "1"};
    EXPECT_TRUE(co_await store_->put_job_name(std::move(job)));
    heddle::Run run;
    run.id = RunId{"run"};
    run.job = JobId{"job"};
    run.state = RunState::in_progress;
    run.started_at = clock_.now();
    std::vector<std::string> urls;
    for (std::size_t i = 0; i < pages; ++i) urls.push_back("http://x/" + std::to_string(i));
    EXPECT_TRUE(co_await store_->begin_run(std::move(run), std::move(urls)));
  }

  Async<void> finish(Lease lease) {
    PageResult page;
    page.lease = std::move(lease);
    page.job = JobId{"job"};
    page.final_url = page.lease.task.url;
    EXPECT_TRUE(co_await store_->commit(std::move(page)));
  }

  Async<void> postpone_until(TaskRetry retry) {
    EXPECT_TRUE(co_await store_->postpone(std::move(retry)));
  }

  Async<void> postpone(Lease lease, std::chrono::milliseconds wait) {
    TaskRetry retry;
    retry.lease = std::move(lease);
    retry.due_at = clock_.now() + wait;
    EXPECT_TRUE(co_await store_->postpone(std::move(retry)));
  }

  heddle::testing::TemporaryFolder folder_;
  SystemClock clock_;
  std::unique_ptr<store::SqliteStore> store_;
};

Async<std::vector<TaskNumber>> take_and_finish_all(StoreQueueTest& test, StoreQueue& queue,
                                                   std::function<Async<void>(Lease)> finish) {
  static_cast<void>(test);
  std::vector<TaskNumber> numbers;
  while (true) {
    auto lease = co_await queue.take();
    if (!lease || !*lease) co_return numbers;
    numbers.push_back((*lease)->task.number);
    co_await finish(std::move(**lease));
    queue.task_done();
  }
}

TEST_F(StoreQueueTest, HandsOutEveryTaskOnceInOrder) {
  run_async(begin(7));
  StoreQueue queue(*store_, RunId{"run"}, clock_, 3);
  const auto numbers = run_async(
      take_and_finish_all(*this, queue, [this](Lease lease) { return finish(std::move(lease)); }));
  EXPECT_EQ(numbers, (std::vector<TaskNumber>{1, 2, 3, 4, 5, 6, 7}));
}

TEST_F(StoreQueueTest, EndsImmediatelyForARunWithoutTasks) {
  run_async(begin(0));
  StoreQueue queue(*store_, RunId{"run"}, clock_, 3);
  auto lease = run_async(queue.take());
  ASSERT_TRUE(lease) << lease.error().message;
  EXPECT_FALSE(*lease);
}

TEST_F(StoreQueueTest, LeasesARetryWhenItIsDue) {
  run_async(begin(1));
  StoreQueue queue(*store_, RunId{"run"}, clock_, 3);
  int tries = 0;
  const auto try_twice = [&](Lease lease) {
    ++tries;
    EXPECT_EQ(lease.task.attempt, tries);
    return tries == 1 ? postpone(std::move(lease), 20ms) : finish(std::move(lease));
  };
  const auto numbers = run_async(take_and_finish_all(*this, queue, try_twice));
  EXPECT_EQ(numbers, (std::vector<TaskNumber>{1, 1}));
}

TEST_F(StoreQueueTest, DoesNotDelayRetriesWhenTheClockIsSetBack) {
  run_async(begin(1));
  ManualClock clock(clock_.now());
  StoreQueue queue(*store_, RunId{"run"}, clock, 3);
  int tries = 0;
  const auto start = std::chrono::steady_clock::now();
  const auto set_back_in_between = [&](Lease lease) {
    if (++tries > 3) return finish(std::move(lease));
    TaskRetry retry;
    retry.lease = std::move(lease);
    retry.due_at = clock.now() + 30ms;  // on each timeline, the old and the new one
    if (tries < 3) clock.advance(-1h);
    return postpone_until(std::move(retry));
  };
  const auto numbers = run_async(take_and_finish_all(*this, queue, set_back_in_between));
  EXPECT_EQ(numbers, (std::vector<TaskNumber>{1, 1, 1, 1}));
  EXPECT_LT(std::chrono::steady_clock::now() - start, 10s);
  EXPECT_GE(std::chrono::steady_clock::now() - start, 30ms) << "the last wait was kept";
}

TEST_F(StoreQueueTest, DoesNotDelayWaitingRetriesWhenTheClockIsSetBack) {
  run_async(begin(2));
  ManualClock clock(clock_.now());
  StoreQueue queue(*store_, RunId{"run"}, clock, 1);
  int tries = 0;
  const auto start = std::chrono::steady_clock::now();
  const auto first_fails = [&](Lease lease) {
    if (++tries > 2) return finish(std::move(lease));
    TaskRetry retry;
    retry.lease = std::move(lease);
    retry.due_at = clock.now() + 50ms;
    if (tries == 2) clock.advance(-1h);  // one retry became known before, one after
    return postpone_until(std::move(retry));
  };
  run_async(take_and_finish_all(*this, queue, first_fails));
  EXPECT_EQ(tries, 4);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 10s);
}

TEST_F(StoreQueueTest, FetchesRetriesWhenTheClockStandsStill) {
  run_async(begin(1));
  ManualClock clock(clock_.now());
  StoreQueue queue(*store_, RunId{"run"}, clock, 3);
  int tries = 0;
  const auto try_twice = [&](Lease lease) {
    TaskRetry retry;
    retry.lease = std::move(lease);
    retry.due_at = clock.now() + 20ms;
    return ++tries == 1 ? postpone_until(std::move(retry)) : finish(std::move(retry.lease));
  };
  EXPECT_EQ(run_async(take_and_finish_all(*this, queue, try_twice)).size(), 2u);
}

// The store cannot answer while another connection has its file locked.
Async<std::size_t> take_while_store_is_locked(StoreQueue& queue, std::size_t count,
                                              store::Connection& lock) {
  EXPECT_TRUE(lock.execute("BEGIN IMMEDIATE"));
  const auto loop = co_await boost::asio::this_coro::executor;
  std::size_t taken = 0;
  for (std::size_t i = 0; i < count; ++i)
    boost::asio::co_spawn(loop, queue.take(), [&taken](std::exception_ptr, auto lease) {
      if (lease && *lease) ++taken;
    });
  // Callers that need nothing from the store are served in this turn of the loop.
  co_await boost::asio::post(loop, boost::asio::use_awaitable);
  co_await boost::asio::post(loop, boost::asio::use_awaitable);
  const std::size_t served_immediately = taken;
  EXPECT_TRUE(lock.execute("COMMIT"));
  while (taken < count) co_await boost::asio::post(loop, boost::asio::use_awaitable);
  co_return served_immediately;
}

TEST_F(StoreQueueTest, PrefetchesTheNextBatchWhileTheLastIsHandedOut) {
  run_async(begin(40));
  StoreQueue queue(*store_, RunId{"run"}, clock_, 16);
  auto lock = store::Connection::open(folder_.path() / "heddle.db", {});
  ASSERT_TRUE(lock);
  // All wait for the first batch.
  EXPECT_EQ(run_async(take_while_store_is_locked(queue, 12, **lock)), 0u);
  // Four are left: one caller fetches more and does not block the others.
  EXPECT_EQ(run_async(take_while_store_is_locked(queue, 5, **lock)), 4u);
}

Async<std::optional<Lease>> take_until_closed(StoreQueue& queue) {
  auto lease = co_await queue.take();
  co_return lease ? *lease : std::nullopt;
}

Async<void> close_while_another_waits(StoreQueue& queue, bool& other_got_nothing) {
  auto first = co_await queue.take();
  EXPECT_TRUE(first && *first);
  const auto loop = co_await boost::asio::this_coro::executor;
  boost::asio::co_spawn(loop, take_until_closed(queue),
                        [&](std::exception_ptr, std::optional<Lease> lease) {
                          other_got_nothing = !lease.has_value();
                        });
  boost::asio::post(loop, [&queue] { queue.close(); });
}

TEST_F(StoreQueueTest, ReleasesWaitingTakersWhenClosed) {
  run_async(begin(1));
  StoreQueue queue(*store_, RunId{"run"}, clock_, 3);
  bool other_got_nothing = false;
  run_async(close_while_another_waits(queue, other_got_nothing));
  EXPECT_TRUE(other_got_nothing);
}

}  // namespace
}  // namespace heddle::queue

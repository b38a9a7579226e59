// StoreContract: concurrent callers, and callers that disappear.
#include <set>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>

#include "store/store_contract_for_test.hpp"

namespace heddle::store::testing {

namespace {

using ::testing::SizeIs;

// Commits tasks one by one until none is left, like one worker of many.
Async<void> work_through(Store& store, RunId run, std::vector<std::int64_t>& receipts) {
  while (true) {
    auto batch = co_await store.lease_tasks(run, 1, at(2000));
    if (!batch || batch->leases.empty()) co_return;
    PageResult result;
    result.lease = batch->leases.front();
    result.job = {"shop"};
    result.final_url = result.lease.task.url;
    const auto number = static_cast<std::uint64_t>(result.lease.task.number);
    for (const std::uint64_t n : {number, number + 1, std::uint64_t{1'000'000}}) {
      result.keys.push_back(key(n));
      result.new_items.push_back(item(n));
    }
    auto receipt = co_await store.commit(std::move(result));
    receipts.push_back(receipt ? receipt->new_items : -1);
  }
}

TEST_P(StoreContract, CommitsFromManyCoroutinesWithoutLossOrDuplicates) {
  std::vector<std::string> urls;
  for (int i = 1; i <= 200; ++i) urls.push_back("http://a/" + std::to_string(i));
  const RunId run = begin("r1", urls);
  boost::asio::io_context loop;
  std::vector<std::int64_t> receipts;
  for (int i = 0; i < 16; ++i)
    boost::asio::co_spawn(loop, work_through(*store_, run, receipts), boost::asio::detached);
  loop.run();

  ASSERT_THAT(receipts, SizeIs(200));
  std::int64_t stored = 0;
  for (const std::int64_t count : receipts) stored += count;
  EXPECT_EQ(stored, 202);  // 1…201 and the shared one
  std::set<std::string> distinct;
  for (const std::string& title : titles()) EXPECT_TRUE(distinct.insert(title).second) << title;
  EXPECT_THAT(distinct, SizeIs(202));
  EXPECT_EQ(lease(run).unfinished, 0);
}

TEST_P(StoreContract, AnswersCoroutinesOfSeveralThreads) {
  std::vector<std::string> urls(100, "http://a/same");
  const RunId run = begin("r1", urls);
  std::vector<std::vector<std::int64_t>> receipts(4);
  {
    std::vector<std::unique_ptr<boost::asio::thread_pool>> loops;
    for (auto& mine : receipts) {
      loops.push_back(std::make_unique<boost::asio::thread_pool>(1));
      boost::asio::co_spawn(*loops.back(), work_through(*store_, run, mine), boost::asio::detached);
    }
    for (auto& loop : loops) loop->join();
  }
  std::size_t pages = 0;
  for (const auto& mine : receipts) pages += mine.size();
  EXPECT_EQ(pages, 100u);
}

TEST_P(StoreContract, SurvivesAnEventLoopDestroyedWithPendingCalls) {
  const RunId run = begin("r1", std::vector<std::string>(50, "http://a/1"));
  for (int round = 0; round < 20; ++round) {
    boost::asio::io_context loop;
    std::vector<std::int64_t> receipts;
    for (int i = 0; i < 8; ++i)
      boost::asio::co_spawn(loop, work_through(*store_, run, receipts), boost::asio::detached);
    loop.run_one();
    loop.poll_one();
  }
  EXPECT_TRUE(run_async(store_->release_leases(run)));
}

}  // namespace

}  // namespace heddle::store::testing

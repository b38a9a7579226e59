// Fixture of the StoreContract suite, which every Store must pass. An implementation joins with one
// INSTANTIATE_TEST_SUITE_P and its own StoreBackend.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/reader.hpp"
#include "store/reader_for_test.hpp"
#include "store/store.hpp"
#include "tests/support/run_async.hpp"

namespace heddle::store::testing {

using heddle::testing::run_async;

// Owns the data of one test; reopening finds it again.
class StoreBackend {
 public:
  virtual ~StoreBackend() = default;
  virtual std::unique_ptr<Store> open() = 0;
  virtual std::unique_ptr<Reader> open_reader() = 0;
};

struct StoreKind {
  std::string name;
  std::function<std::unique_ptr<StoreBackend>()> make;
};

inline void PrintTo(const StoreKind& kind, std::ostream* out) {
  *out << kind.name;
}

inline WallTime at(std::int64_t milliseconds) {
  return WallTime(std::chrono::milliseconds(milliseconds));
}

inline Hash128 key(std::uint64_t number) {
  return hash128(std::to_string(number));  // distributed like real keys
}

inline KeyedItem item(std::uint64_t number) {
  const std::string text = std::to_string(number);
  return {key(number), {.fields = {{"title", "item " + text}}, .matches = {}, .values_json = {}}};
}

class StoreContract : public ::testing::TestWithParam<StoreKind> {
 protected:
  void SetUp() override {
    backend_ = GetParam().make();
    store_ = backend_->open();
    ASSERT_NE(store_, nullptr);
  }

  void reopen() {
    store_.reset();
    store_ = backend_->open();
    ASSERT_NE(store_, nullptr);
  }

  std::unique_ptr<Reader> reader() { return backend_->open_reader(); }

  static heddle::Run new_run(const std::string& id, const std::string& job) {
    heddle::Run run;
    run.id = {id};
    run.job = {job};
    run.trigger = RunTrigger::manual;
    run.revision = "r1";
    run.started_at = at(1000);
    return run;
  }

  RunId begin(const std::string& run, std::vector<std::string> urls,
              const std::string& job = "shop") {
    auto begun = run_async(store_->begin_run(new_run(run, job), std::move(urls)));
    EXPECT_TRUE(begun) << begun.error().message;
    return {run};
  }

  TaskBatch lease(const RunId& run, std::size_t max = 100, WallTime now = at(2000)) {
    auto batch = run_async(store_->lease_tasks(run, max, now));
    EXPECT_TRUE(batch) << batch.error().message;
    return batch ? std::move(*batch) : TaskBatch{};
  }

  Lease lease_one(const RunId& run, WallTime now = at(2000)) {
    auto batch = lease(run, 1, now);
    EXPECT_EQ(batch.leases.size(), 1u);
    return batch.leases.empty() ? Lease{} : batch.leases.front();
  }

  // A page with these items, all of them reported as new.
  static PageResult page(const Lease& lease, const std::vector<std::uint64_t>& items,
                         const std::string& job = "shop") {
    PageResult result;
    result.lease = lease;
    result.job = {job};
    result.final_url = lease.task.url;
    result.fetched_at = at(3000);
    result.http_status = 200;
    result.bytes = 100;
    result.memory.item_count = static_cast<std::int64_t>(items.size());
    result.items_seen = static_cast<std::int64_t>(items.size());
    for (const std::uint64_t number : items) {
      result.keys.push_back(key(number));
      result.new_items.push_back(item(number));
    }
    return result;
  }

  Result<CommitReceipt> commit(PageResult result) {
    return run_async(store_->commit(std::move(result)));
  }

  // Leases the run's next page and stores these items.
  std::int64_t store_page(const RunId& run, const std::vector<std::uint64_t>& items,
                          WallTime fetched_at = at(3000), const std::string& job = "shop") {
    auto result = page(lease_one(run), items, job);
    result.fetched_at = fetched_at;
    auto receipt = commit(std::move(result));
    EXPECT_TRUE(receipt) << receipt.error().message;
    return receipt ? receipt->new_items : -1;
  }

  Result<heddle::Run> end(const RunId& run, RunState state = RunState::completed) {
    return run_async(store_->end_run(run, state, {}, at(9000)));
  }

  KnownAnswer known(const std::vector<std::uint64_t>& numbers, const std::string& job = "shop") {
    KnownQuery query{.job = {job}, .keys = {}, .content = {}};
    for (const std::uint64_t number : numbers) query.keys.push_back(key(number));
    auto answer = run_async(store_->find_known(std::move(query)));
    EXPECT_TRUE(answer) << answer.error().message;
    return answer ? std::move(*answer) : KnownAnswer{};
  }

  std::vector<Record> records(const std::string& job = "shop",
                              std::optional<WallTime> since = std::nullopt) {
    std::vector<Record> all;
    auto done = reader()->for_each_record({job}, since, [&](const Record& record) {
      all.push_back(record);
      return true;
    });
    EXPECT_TRUE(done) << done.error().message;
    return all;
  }

  std::vector<std::string> titles(const std::string& job = "shop") {
    std::vector<std::string> texts;
    for (const Record& record : records(job)) texts.push_back(*record.item.find("title"));
    return texts;
  }

  std::unique_ptr<StoreBackend> backend_;
  std::unique_ptr<Store> store_;
};

}  // namespace heddle::store::testing

// Breaks the disk at every single operation of a small workload, in four ways, and checks that
// acknowledged data is not lost and nothing is stored partially or twice.
#include <algorithm>
#include <map>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include "store/sqlite/core/connection.hpp"
#include "store/sqlite/core/faulty_disk.hpp"
#include "store/sqlite/sqlite_reader.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "store/store_contract_for_test.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::store::testing {

namespace {

constexpr std::size_t kPages = 6;
constexpr std::uint64_t kItems = 15;
const RunId kRun{"r1"};

PageResult page_of(const Lease& lease) {
  PageResult page;
  page.lease = lease;
  page.job = {"shop"};
  page.final_url = lease.task.url;
  page.fetched_at = at(3000);
  const auto first = static_cast<std::uint64_t>(lease.task.number) * 1000;
  for (std::uint64_t i = first; i < first + kItems; ++i) {
    page.keys.push_back(key(i));
    page.new_items.push_back(item(i));
  }
  Delivery delivery;
  delivery.id = {"d" + std::to_string(lease.task.number)};
  delivery.job = page.job;
  page.deliveries = {delivery};
  page.snapshot =
      Snapshot{.content_hash = key(first), .size = 1, .compressed = std::string(3000, 'z')};
  return page;
}

Async<void> commit_with_retries(Store& store, Lease lease, std::vector<TaskNumber>& acknowledged) {
  for (int attempt = 0; attempt < 3; ++attempt) {
    PageResult page = page_of(lease);
    auto receipt = co_await store.commit(std::move(page));
    if (!receipt) continue;
    EXPECT_EQ(receipt->new_items, static_cast<std::int64_t>(kItems));
    acknowledged.push_back(lease.task.number);
    co_return;
  }
}

class PowerCut : public ::testing::TestWithParam<FaultyDisk::Fault> {
 protected:
  // A store with a leased run, created once and copied for every round.
  void SetUp() override {
    auto store = SqliteStore::open(original_);
    ASSERT_TRUE(store) << store.error().message;
    heddle::Run run;
    run.id = kRun;
    run.job = {"shop"};
    std::vector<std::string> urls;
    for (std::size_t i = 0; i < kPages; ++i) urls.push_back("http://a/" + std::to_string(i));
    ASSERT_TRUE(run_async((*store)->begin_run(run, urls)));
    auto batch = run_async((*store)->lease_tasks(kRun, kPages, at(1)));
    ASSERT_TRUE(batch);
    leases_ = std::move(batch->leases);
  }

  [[nodiscard]] SqliteOptions options() const {
    return {.checkpoint_bytes = 64 * 1024, .vfs = disk_->vfs()};
  }

  // Two pages at a time, so that some share a group. Returns what was acknowledged.
  std::vector<TaskNumber> work() {
    std::vector<TaskNumber> acknowledged;
    auto store = SqliteStore::open(file_, options());
    if (!store) return acknowledged;
    for (std::size_t i = 0; i < leases_.size(); i += 2) {
      boost::asio::io_context loop;
      for (const std::size_t k : {i, i + 1})
        boost::asio::co_spawn(loop, commit_with_retries(**store, leases_[k], acknowledged),
                              boost::asio::detached);
      loop.run();
    }
    return acknowledged;
  }

  std::map<TaskNumber, std::uint64_t> items_per_page() {
    std::map<TaskNumber, std::uint64_t> counts;
    auto reader = SqliteReader::open(file_);
    EXPECT_TRUE(reader) << reader.error().message;
    if (!reader) return counts;
    std::map<std::string, int> seen;
    EXPECT_TRUE((*reader)->for_each_record({"shop"}, {}, [&](const Record& record) {
      const std::string& title = *record.item.find("title");
      EXPECT_EQ(++seen[title], 1) << title;
      ++counts[std::stoll(title.substr(5)) / 1000];
      return true;
    }));
    return counts;
  }

  void expect_sound() {
    auto db = Connection::open(file_, {});
    ASSERT_TRUE(db);
    EXPECT_EQ(*(*db)->query_integer(
                  "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'"),
              0);
    EXPECT_EQ(*(*db)->query_integer("SELECT count(*) FROM items"),
              *(*db)->query_integer("SELECT count(*) FROM seen_keys"));
  }

  // Finishes the remaining tasks, as the next start would.
  void finish_the_run() {
    auto store = SqliteStore::open(file_, options());
    ASSERT_TRUE(store) << store.error().message;
    ASSERT_TRUE(run_async((*store)->release_leases(kRun)));
    auto batch = run_async((*store)->lease_tasks(kRun, kPages, at(1)));
    ASSERT_TRUE(batch);
    for (const Lease& lease : batch->leases) {
      auto receipt = run_async((*store)->commit(page_of(lease)));
      ASSERT_TRUE(receipt) << receipt.error().message;
      EXPECT_EQ(receipt->new_items, static_cast<std::int64_t>(kItems));
    }
    auto due = run_async((*store)->due_deliveries(at(1), 100));
    ASSERT_TRUE(due);
    EXPECT_EQ(due->size(), kPages);
  }

  // False when the workload ended before the disk broke.
  bool round(std::int64_t operation) {
    std::filesystem::copy_file(original_, file_, std::filesystem::copy_options::overwrite_existing);
    disk_ = std::make_unique<FaultyDisk>();
    disk_->break_at(GetParam(), operation);
    const auto acknowledged = work();
    const bool has_broken = disk_->has_broken();
    if (has_broken && GetParam() == FaultyDisk::Fault::power_cut) disk_->lose_unsynced(random_);
    disk_->repair();

    expect_sound();
    auto counts = items_per_page();
    for (const TaskNumber number : acknowledged) EXPECT_EQ(counts[number], kItems) << number;
    for (const auto& [number, count] : counts) EXPECT_TRUE(count == 0 || count == kItems) << number;
    if (GetParam() == FaultyDisk::Fault::error_once && !acknowledged.empty()) {
      EXPECT_EQ(acknowledged.size(), kPages);
    }
    finish_the_run();
    EXPECT_EQ(items_per_page().size(), kPages);
    for (const char* suffix : {"", "-wal", "-shm", "-journal"})
      std::filesystem::remove(file_.string() + suffix);
    return has_broken;
  }

  heddle::testing::TemporaryFolder folder_;
  std::filesystem::path original_ = folder_.path() / "original.db";
  std::filesystem::path file_ = folder_.path() / "heddle.db";
  std::unique_ptr<FaultyDisk> disk_;  // one per round: the files are new too
  std::mt19937_64 random_{1};
  std::vector<Lease> leases_;
};

TEST_P(PowerCut, LosesNothingAtAnyOperation) {
  std::int64_t operation = 1;
  while (round(operation)) {
    ASSERT_FALSE(HasFailure()) << "broken at operation " << operation;
    ++operation;
  }
  ASSERT_FALSE(HasFailure());
  EXPECT_GT(operation, 30);  // the workload did write something
}

std::string name_of(const ::testing::TestParamInfo<FaultyDisk::Fault>& info) {
  switch (info.param) {
    case FaultyDisk::Fault::power_cut:
      return "PowerCut";
    case FaultyDisk::Fault::error_once:
      return "ErrorOnce";
    case FaultyDisk::Fault::error_always:
      return "ErrorAlways";
    case FaultyDisk::Fault::full:
      return "Full";
  }
  return "Unknown";
}

INSTANTIATE_TEST_SUITE_P(By, PowerCut,
                         ::testing::Values(FaultyDisk::Fault::power_cut,
                                           FaultyDisk::Fault::error_once,
                                           FaultyDisk::Fault::error_always,
                                           FaultyDisk::Fault::full),
                         name_of);

}  // namespace

}  // namespace heddle::store::testing

// Kills a process that stores pages, repeatedly, with SIGKILL.
#include <csignal>
#include <map>
#include <random>
#include <set>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/sqlite/core/connection.hpp"
#include "store/sqlite/sqlite_reader.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "store/store_contract_for_test.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::store::testing {

namespace {

constexpr int kKills = 20;
constexpr int kWorkers = 8;
constexpr std::uint64_t kItems = 5;
const RunId kRun{"r1"};

// Leases and stores pages until it is killed; reports each acknowledged one on the pipe.
Async<void> store_pages(Store& store, int pipe) {
  while (true) {
    auto batch = co_await store.lease_tasks(kRun, 1, at(1));
    if (!batch || batch->leases.empty()) co_return;
    PageResult page;
    page.lease = batch->leases.front();
    page.job = {"shop"};
    page.final_url = page.lease.task.url;
    const TaskNumber number = page.lease.task.number;
    for (std::uint64_t i = 0; i < kItems; ++i) {
      page.new_items.push_back(item(static_cast<std::uint64_t>(number) * 10 + i));
      page.keys.push_back(page.new_items.back().key);
    }
    auto receipt = co_await store.commit(std::move(page));
    if (!receipt || write(pipe, &number, sizeof number) != sizeof number) co_return;
  }
}

// The child process: never returns to the test framework.
[[noreturn]] void run_until_killed(const std::filesystem::path& file, int pipe) {
  auto store = SqliteStore::open(file, {.checkpoint_bytes = 256 * 1024});
  if (!store || !run_async((*store)->release_leases(kRun))) _exit(1);
  boost::asio::io_context loop;
  for (int i = 0; i < kWorkers; ++i)
    boost::asio::co_spawn(loop, store_pages(**store, pipe), boost::asio::detached);
  loop.run();
  _exit(2);  // it ran out of pages
}

class KilledProcess : public ::testing::Test {
 protected:
  void SetUp() override {
    auto store = SqliteStore::open(file_);
    ASSERT_TRUE(store);
    heddle::Run run;
    run.id = kRun;
    run.job = {"shop"};
    ASSERT_TRUE(run_async((*store)->begin_run(run, std::vector<std::string>(20'000, "http://a/"))));
  }

  // Lets the child acknowledge some pages, kills it, and reads the rest of its reports.
  void kill_one_child() {
    int ends[2] = {-1, -1};
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      close(ends[0]);
      run_until_killed(file_, ends[1]);
    }
    close(ends[1]);
    const std::uint64_t enough = 1 + random_() % 150;
    TaskNumber number = 0;
    for (std::uint64_t received = 0; read(ends[0], &number, sizeof number) == sizeof number;
         ++received) {
      EXPECT_TRUE(acknowledged_.insert(number).second) << number;
      if (received == enough) kill(child, SIGKILL);
    }
    close(ends[0]);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status)) << status;
  }

  void expect_nothing_lost() {
    auto db = Connection::open(file_, {});
    ASSERT_TRUE(db);
    EXPECT_EQ(*(*db)->query_integer("SELECT count(*) FROM pragma_integrity_check"
                                    " WHERE integrity_check <> 'ok'"),
              0);
    std::map<TaskNumber, std::uint64_t> items;
    std::set<std::string> titles;
    auto reader = SqliteReader::open(file_);
    ASSERT_TRUE(reader);
    ASSERT_TRUE((*reader)->for_each_record({"shop"}, {}, [&](const Record& record) {
      const std::string& title = *record.item.find("title");
      EXPECT_TRUE(titles.insert(title).second) << title;
      ++items[std::stoll(title.substr(5)) / 10];
      return true;
    }));
    for (const TaskNumber number : acknowledged_) EXPECT_EQ(items[number], kItems) << number;
    for (const auto& [number, count] : items) EXPECT_EQ(count, kItems) << number;
    auto run = (*reader)->run(kRun);
    ASSERT_TRUE(run && *run);
    EXPECT_EQ((*run)->pages.done, static_cast<std::int64_t>(items.size()));
  }

  heddle::testing::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "heddle.db";
  std::mt19937_64 random_{std::random_device{}()};
  std::set<TaskNumber> acknowledged_;
};

TEST_F(KilledProcess, NeitherLosesNorDuplicatesAcknowledgedPages) {
  for (int i = 0; i < kKills && !HasFailure(); ++i) {
    kill_one_child();
    expect_nothing_lost();
  }
  EXPECT_GE(acknowledged_.size(), static_cast<std::size_t>(kKills));
}

}  // namespace

}  // namespace heddle::store::testing

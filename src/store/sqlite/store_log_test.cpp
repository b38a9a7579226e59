// How long the log beside the database becomes, and when it is cut.
#include <chrono>
#include <filesystem>
#include <thread>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

#include "store/sqlite/connection.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "tests/support/run_async.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::store {
namespace {

using namespace std::chrono_literals;
using heddle::testing::run_async;

constexpr std::size_t kMegabyte = 1'000'000;

class StoreLog : public ::testing::Test {
 protected:
  void open(const SqliteOptions& options = {}) {
    auto opened = SqliteStore::open(file_, options);
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::move(*opened);
  }

  // The same row again and again: the log grows, the database hardly.
  void write(std::size_t bytes) {
    constexpr std::size_t kPiece = 100'000;
    for (std::size_t done = 0; done < bytes; done += kPiece) {
      Note note;
      note.name = "ballast";
      note.value = std::string(kPiece, 'x');
      ASSERT_TRUE(run_async(store_->put_note(std::move(note), WallTime{})));
    }
  }

  [[nodiscard]] std::uintmax_t log_size() const {
    return std::filesystem::file_size(file_.string() + "-wal");
  }

  std::unique_ptr<Connection> begin_reading() {
    auto reader = Connection::open(file_, {.read_only = true});
    EXPECT_TRUE(reader);
    EXPECT_TRUE((*reader)->execute("BEGIN; SELECT count(*) FROM notes"));
    return std::move(*reader);
  }

  heddle::testing::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "heddle.db";
  std::unique_ptr<SqliteStore> store_;
};

TEST_F(StoreLog, StaysWithinWhatItIsTold) {
  open();
  store_->keep_log_within(2 * kMegabyte);
  write(12 * kMegabyte);
  EXPECT_LT(log_size(), 4 * kMegabyte);
}

TEST_F(StoreLog, ShrinksToABoundThatComesLater) {
  open();
  write(10 * kMegabyte);
  ASSERT_GT(log_size(), 8 * kMegabyte);
  store_->keep_log_within(2 * kMegabyte);
  write(6 * kMegabyte);
  EXPECT_LT(log_size(), 4 * kMegabyte);
}

TEST_F(StoreLog, IsCutToNothingWhenAsked) {
  open();
  write(3 * kMegabyte);
  ASSERT_GT(log_size(), 2 * kMegabyte);
  ASSERT_TRUE(run_async(store_->cut_log()));
  EXPECT_EQ(log_size(), 0U);
  write(kMegabyte);
  EXPECT_EQ(run_async(store_->find_note("ballast"))->value_or("").size(), 100'000U);
}

TEST_F(StoreLog, WaitsForReadersWithoutHoldingTheWriter) {
  open();
  write(3 * kMegabyte);
  auto reader = begin_reading();
  std::thread cutter([this] { EXPECT_TRUE(run_async(store_->cut_log())); });
  write(kMegabyte);  // returns: nobody holds the writer until the reader is gone
  EXPECT_GT(log_size(), 2 * kMegabyte) << "the reader still needs it";
  ASSERT_TRUE(reader->execute("COMMIT"));
  cutter.join();
  ASSERT_TRUE(run_async(store_->cut_log()));
  EXPECT_EQ(log_size(), 0U);
}

TEST_F(StoreLog, IsCutWhenNothingIsWrittenForAWhile) {
  open({.quiet_after = 20ms});
  write(5 * kMegabyte);
  const auto deadline = std::chrono::steady_clock::now() + 30s;
  while (log_size() > 0 && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(10ms);
  EXPECT_EQ(log_size(), 0U);
}

TEST_F(StoreLog, AnswersWhoWantsItCutThoughTheStoreIsClosed) {
  open();
  write(3 * kMegabyte);
  auto reader = begin_reading();
  boost::asio::io_context loop;
  auto cut = boost::asio::co_spawn(loop, store_->cut_log(), boost::asio::use_future);
  loop.poll();  // the request is with the writer thread
  store_.reset();
  loop.run();
  EXPECT_TRUE(cut.get());
}

}  // namespace
}  // namespace heddle::store

// How long the WAL becomes, and when it is truncated.
#include <chrono>
#include <filesystem>
#include <thread>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

#include "store/sqlite/core/connection.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "tests/support/run_async.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::store {
namespace {

using namespace std::chrono_literals;
using heddle::testing::run_async;

constexpr std::size_t kMegabyte = 1'000'000;

class WalSize : public ::testing::Test {
 protected:
  void open(const SqliteOptions& options = {}) {
    auto opened = SqliteStore::open(file_, options);
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::move(*opened);
  }

  // Rewrites one row: the WAL grows, the database hardly.
  void write(std::size_t bytes) {
    constexpr std::size_t kChunk = 100'000;
    for (std::size_t done = 0; done < bytes; done += kChunk) {
      Note note;
      note.name = "ballast";
      note.value = std::string(kChunk, 'x');
      ASSERT_TRUE(run_async(store_->put_note(std::move(note), WallTime{})));
    }
  }

  // The thread that writes the WAL back may be late on a busy machine; the next commits see it.
  bool falls_below(std::uintmax_t bytes) {
    for (int chunks = 0; chunks < 500 && wal_size() >= bytes; ++chunks) write(1);
    return wal_size() < bytes;
  }

  [[nodiscard]] std::uintmax_t wal_size() const {
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

TEST_F(WalSize, StaysWithinItsLimit) {
  open();
  store_->set_wal_limit(2 * kMegabyte);
  write(12 * kMegabyte);
  EXPECT_TRUE(falls_below(4 * kMegabyte)) << wal_size();
}

TEST_F(WalSize, ShrinksToALowerLimit) {
  open();
  write(10 * kMegabyte);
  ASSERT_GT(wal_size(), 8 * kMegabyte);
  store_->set_wal_limit(2 * kMegabyte);
  write(6 * kMegabyte);
  EXPECT_TRUE(falls_below(4 * kMegabyte)) << wal_size();
}

TEST_F(WalSize, IsTruncatedOnRequest) {
  open();
  write(3 * kMegabyte);
  ASSERT_GT(wal_size(), 2 * kMegabyte);
  ASSERT_TRUE(run_async(store_->truncate_wal()));
  EXPECT_EQ(wal_size(), 0U);
  write(kMegabyte);
  EXPECT_EQ(run_async(store_->find_note("ballast"))->value_or("").size(), 100'000U);
}

TEST_F(WalSize, WaitsForReadersWithoutBlockingTheWriter) {
  open();
  write(3 * kMegabyte);
  auto reader = begin_reading();
  std::thread truncating([this] { EXPECT_TRUE(run_async(store_->truncate_wal())); });
  write(kMegabyte);  // returns: the pending truncation does not block the writer
  EXPECT_GT(wal_size(), 2 * kMegabyte) << "the reader still needs it";
  ASSERT_TRUE(reader->execute("COMMIT"));
  truncating.join();
  ASSERT_TRUE(run_async(store_->truncate_wal()));
  EXPECT_EQ(wal_size(), 0U);
}

TEST_F(WalSize, IsTruncatedWhenIdle) {
  open({.idle_after = 20ms});
  write(5 * kMegabyte);
  const auto deadline = std::chrono::steady_clock::now() + 30s;
  while (wal_size() > 0 && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(10ms);
  EXPECT_EQ(wal_size(), 0U);
}

TEST_F(WalSize, AnswersTruncationWhenTheStoreIsClosed) {
  open();
  write(3 * kMegabyte);
  auto reader = begin_reading();
  boost::asio::io_context loop;
  auto truncated = boost::asio::co_spawn(loop, store_->truncate_wal(), boost::asio::use_future);
  loop.poll();  // the request is with the writer thread
  store_.reset();
  loop.run();
  EXPECT_TRUE(truncated.get());
}

}  // namespace
}  // namespace heddle::store

// Checkpoints the WAL on its own thread and connection, so that commits continue meanwhile. One
// pass covers many WAL pages, because each pass syncs two files while commits wait for the same
// disk. SQLite restarts a WAL only when every page is written back; under steady writing some page
// is always left, so the writer itself checkpoints a WAL that has grown long. The WAL is truncated
// on request and when nothing was written for a while.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/log/log.hpp"
#include "base/result.hpp"
#include "store/sqlite/core/connection.hpp"

namespace heddle::store {

class Checkpointer {
 public:
  struct Pace {
    std::size_t pass_bytes = 0;              // new WAL bytes per pass
    std::chrono::milliseconds idle_after{};  // truncate the WAL after this long without a write
  };
  // The writer checkpoints a WAL of this many passes, which bounds its length.
  static constexpr int kPassesPerWal = 4;

  // `own` belongs to the new thread. Observes the commits of `writer` on the writer's thread.
  Checkpointer(Connection& writer, std::unique_ptr<Connection> own, Pace pace, Log& log);
  ~Checkpointer();
  Checkpointer(const Checkpointer&) = delete;
  Checkpointer& operator=(const Checkpointer&) = delete;

  // Writer thread, after each commit.
  void after_commit();

  // Any thread. The WAL stays close to this limit, and to the limit of the pace.
  void set_wal_limit(std::size_t wal_bytes);

  // Any thread. Checkpoints and truncates the WAL, retrying briefly while readers block it. Then
  // calls `on_done` on the own thread, whether it succeeded or not.
  void truncate(std::function<void()> on_done);

 private:
  enum class Task { end, pass, truncate, check_idle };

  void work();
  Task next_task();
  int pass(int mode, int* pages, int* written);
  void write_back();
  void truncate_with_retries();
  bool try_truncate();
  bool wait_before_retry();
  void truncate_when_idle();
  void request_pass();
  void checkpoint_on_writer();
  void apply_wal_limit();
  static int on_wal_commit(void* self, sqlite3* db, const char* name, int pages);

  Connection& writer_;
  std::unique_ptr<Connection> own_;
  Log& log_;
  const Pace pace_;
  std::atomic<int> pass_pages_;
  std::atomic<std::uint64_t> commits_ = 0;
  // Writer thread:
  int wal_pages_ = 0;
  int requested_pages_ = 0;  // WAL length when the last pass was requested
  int limit_pages_ = 0;      // journal_size_limit of the writer's connection
  // Own thread:
  std::uint64_t seen_commits_ = 0;
  int last_code_ = SQLITE_OK;  // the same failure is logged once

  std::mutex mutex_;
  std::condition_variable wake_;
  bool is_pass_requested_ = false;
  bool is_working_ = false;
  bool is_ending_ = false;
  std::vector<std::function<void()>> truncations_;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace heddle::store

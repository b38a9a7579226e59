// Carries the log back into the database file on a thread and connection of its own, so that
// commits go on meanwhile: once for every so many pages of log, because each pass syncs two files
// while commits wait for the same disk. Only a log without a page left starts anew; under steady
// writing there is always one left, so the writer itself finishes off a log that has grown long.
// A log is cut to nothing when somebody asks, and when nothing was written for a while.
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

#include "base/log.hpp"
#include "base/result.hpp"
#include "store/sqlite/connection.hpp"

namespace heddle::store {

class Checkpointer {
 public:
  struct Pace {
    std::size_t pass_bytes = 0;               // of new log are worth a pass
    std::chrono::milliseconds quiet_after{};  // nothing was written for so long: the log is cut
  };
  // The writer helps with a log of so many passes, so that it becomes hardly longer.
  static constexpr int kPassesPerLog = 4;

  // `own` belongs to the new thread. Watches commits of `writer`, on the writer's thread.
  Checkpointer(Connection& writer, std::unique_ptr<Connection> own, Pace pace, Log& log);
  ~Checkpointer();
  Checkpointer(const Checkpointer&) = delete;
  Checkpointer& operator=(const Checkpointer&) = delete;

  // Writer thread, after each commit.
  void after_commit();

  // Any thread. The log becomes hardly longer than this, nor than the pace it was made with says.
  void keep_within(std::size_t log_bytes);

  // Any thread. Writes the log back and cuts it to nothing, tried for a moment when readers are in
  // the way; then, whatever came of it, calls `on_done` on the own thread.
  void cut(std::function<void()> on_done);

 private:
  enum class Task { end, pass, cut, look_for_quiet };

  void work();
  Task next_task();
  int pass(int mode, int* pages, int* written);
  void write_back();
  void cut_patiently();
  bool cut_once();
  bool rest_before_next_try();
  void cut_when_quiet();
  void want_pass();
  void finish_off();
  void follow_pace();
  static int note_log_size(void* self, sqlite3* db, const char* name, int pages);

  Connection& writer_;
  std::unique_ptr<Connection> own_;
  Log& log_;
  const Pace pace_;
  std::atomic<int> pass_pages_;
  std::atomic<std::uint64_t> commits_ = 0;
  // The writer's:
  int log_pages_ = 0;
  int passed_pages_ = 0;  // length of the log when the last pass was wanted
  int kept_pages_ = 0;    // what the writer's connection leaves of a log that starts anew
  // The own thread's:
  std::uint64_t seen_commits_ = 0;
  int last_code_ = SQLITE_OK;  // the same trouble is told once

  std::mutex mutex_;
  std::condition_variable wake_;
  bool is_pass_wanted_ = false;
  bool is_working_ = false;
  bool is_ending_ = false;
  std::vector<std::function<void()>> cuts_;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace heddle::store

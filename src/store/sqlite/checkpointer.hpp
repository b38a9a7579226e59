// Carries the log back into the database file on a thread and connection of its own, so that
// commits go on meanwhile: once for every so many pages of log, because each pass syncs two files
// while commits wait for the same disk. Only a log without a page left starts anew; under steady
// writing there is always one left, so the writer itself finishes off a log that has grown long.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <thread>

#include "base/log.hpp"
#include "base/result.hpp"
#include "store/sqlite/connection.hpp"

namespace heddle::store {

class Checkpointer {
 public:
  // `own` belongs to the new thread. Watches commits of `writer`, on the writer's thread.
  Checkpointer(Connection& writer, std::unique_ptr<Connection> own, std::size_t log_bytes,
               Log& log);
  ~Checkpointer();
  Checkpointer(const Checkpointer&) = delete;
  Checkpointer& operator=(const Checkpointer&) = delete;

  // Writer thread, after each commit.
  void after_commit();

 private:
  enum class Thread { idle, wanted, working, ending };

  void work();
  bool wait_until_wanted();
  void want_pass();
  void finish_off();
  static int note_log_size(void* self, sqlite3* db, const char* name, int pages);

  Connection& writer_;
  std::unique_ptr<Connection> own_;
  Log& log_;
  int pass_pages_;  // of new log are worth a pass
  int long_pages_;  // the writer helps
  // The writer's:
  int log_pages_ = 0;
  int passed_pages_ = 0;  // length of the log when the last pass was wanted

  std::mutex mutex_;
  std::condition_variable wake_;
  Thread state_ = Thread::idle;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace heddle::store

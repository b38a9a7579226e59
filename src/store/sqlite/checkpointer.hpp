// Carries the log back into the database file on a thread and connection of its own, so that
// commits go on meanwhile. A log that grows faster than that is finished off by the writer itself.
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
  void work();
  bool wait_until_wanted();
  static int note_log_size(void* self, sqlite3* db, const char* name, int pages);

  Connection& writer_;
  std::unique_ptr<Connection> own_;
  Log& log_;
  int soft_pages_;  // the thread starts
  int hard_pages_;  // the writer helps
  int log_pages_ = 0;

  std::mutex mutex_;
  std::condition_variable wake_;
  bool is_wanted_ = false;
  bool is_ending_ = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace heddle::store

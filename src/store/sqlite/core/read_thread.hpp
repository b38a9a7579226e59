// Reads for the pipeline on one thread with its own read-only connection. Sees everything committed
// before a command was submitted and never waits for the writer.
#pragma once

#include <memory>
#include <thread>

#include "base/result.hpp"
#include "store/sqlite/core/connection.hpp"
#include "store/sqlite/core/statement.hpp"
#include "store/sqlite/core/work_queue.hpp"

namespace heddle::store {

class ReadCommand {
 public:
  virtual ~ReadCommand() = default;
  // Reads and answers, on the reader thread inside a transaction; answers `refused` when it is set.
  virtual void run(const Error* refused) = 0;
};

class ReadThread {
 public:
  explicit ReadThread(Connection& db);
  ~ReadThread();  // answers what is queued, then stops the thread
  ReadThread(const ReadThread&) = delete;
  ReadThread& operator=(const ReadThread&) = delete;

  void submit(std::unique_ptr<ReadCommand> command);  // thread-safe

 private:
  void work();
  void run(ReadCommand& command);

  Statement begin_;
  Statement end_;
  WorkQueue<ReadCommand> queue_;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace heddle::store

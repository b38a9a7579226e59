// Writes on one thread: it runs all queued commands in one transaction, commits them with one disk
// sync, and only then answers them.
//
// A failing command changes nothing and does not affect the others. Most failures are found before
// anything is written. For the others the group is rolled back and run again with one savepoint per
// command; savepoints cost a fifth of the speed, so they are not the default.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "base/result.hpp"
#include "store/sqlite/core/connection.hpp"
#include "store/sqlite/core/statement.hpp"
#include "store/sqlite/core/work_queue.hpp"

namespace heddle::store {

// The writer thread calls all methods except the destructor.
class WriteCommand {
 public:
  virtual ~WriteCommand() = default;
  // Changes the database. When it returns false its changes are undone, those of the group stay.
  // May be called again after its changes were undone.
  virtual bool run() = 0;
  // Last call. `lost` says why nothing of the group was stored; nullptr: durable.
  virtual void finish(const Error* lost) = 0;
};

class GroupWriter {
 public:
  struct Hooks {
    std::function<void()> undone;     // a rollback happened: drop what was cached since
    std::function<void()> committed;  // after each group, before its answers
    // Time from a group's start until it was durable; may be empty.
    std::function<void(std::chrono::nanoseconds)> measured{};
  };

  GroupWriter(Connection& db, Hooks hooks);
  ~GroupWriter();  // runs and answers what is queued, then stops the thread
  GroupWriter(const GroupWriter&) = delete;
  GroupWriter& operator=(const GroupWriter&) = delete;

  // Thread-safe. Commands after shutdown fail immediately.
  void submit(std::unique_ptr<WriteCommand> command);

 private:
  using Commands = std::vector<std::unique_ptr<WriteCommand>>;

  void work();
  std::size_t run_group(Commands& group, std::size_t first);
  std::size_t run_optimistically(Commands& group, std::size_t first);
  std::size_t run_with_savepoints(Commands& group, std::size_t first, std::size_t last);
  bool run_in_savepoint(WriteCommand& command);
  void fail(Commands& group, std::size_t first, std::size_t last, const Error& why);
  [[nodiscard]] Error cause_of_loss() const;
  Status commit();
  void roll_back();

  Connection& db_;
  Hooks hooks_;
  Statement begin_;
  Statement commit_;
  Statement rollback_;
  Statement savepoint_;
  Statement release_;
  Statement undo_;
  WorkQueue<WriteCommand> queue_;
  std::size_t expected_ = 1;  // callers likely to come next: those of the last group
  std::thread thread_;        // last: it uses all of the above
};

}  // namespace heddle::store

// The one thread that writes. It takes whatever commands have gathered, runs them in one
// transaction, commits them with one disk sync, and only then answers them.
//
// A command that fails leaves nothing behind and does not hurt the others. Most failures are found
// before anything is written. For the rare others the group is rolled back and run once more, each
// command inside a savepoint: those cost a fifth of the speed, so they are not used without need.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "base/result.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/statement.hpp"
#include "store/sqlite/work_queue.hpp"

namespace heddle::store {

// All methods are called by the writer thread, except the destructor.
class WriteCommand {
 public:
  virtual ~WriteCommand() = default;
  // Changes the database; false: whatever it changed is undone, the others of the group stay. May
  // be called a second time, when the first has been undone.
  virtual bool run() = 0;
  // Last call. `lost` is why nothing of the group was stored; nullptr: durable.
  virtual void finish(const Error* lost) = 0;
};

class GroupWriter {
 public:
  struct Hooks {
    std::function<void()> undone;     // something was rolled back: forget what was learned from it
    std::function<void()> committed;  // after each group, before it is answered
    // How long a group took from its beginning until it was durable; may be empty.
    std::function<void(std::chrono::nanoseconds)> measured{};
  };

  GroupWriter(Connection& db, Hooks hooks);
  ~GroupWriter();  // runs and answers what is queued, then ends the thread
  GroupWriter(const GroupWriter&) = delete;
  GroupWriter& operator=(const GroupWriter&) = delete;

  // Thread-safe. A command that comes after the end is finished at once with an error.
  void submit(std::unique_ptr<WriteCommand> command);

 private:
  using Commands = std::vector<std::unique_ptr<WriteCommand>>;

  void work();
  std::size_t run_group(Commands& group, std::size_t first);
  std::size_t run_hopefully(Commands& group, std::size_t first);
  std::size_t run_carefully(Commands& group, std::size_t first, std::size_t last);
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
  std::size_t expected_ = 1;  // how many callers are likely to come next: those of the last group
  std::thread thread_;        // last: it uses all of the above
};

}  // namespace heddle::store

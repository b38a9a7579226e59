#include "store/sqlite/core/group_writer.hpp"

#include <algorithm>
#include <utility>

namespace heddle::store {

namespace {

// Bounds the length of a transaction: the first command of a group waits for the last.
constexpr std::size_t kMaxGroup = 256;
constexpr std::chrono::milliseconds kMaxGroupTime{200};
// Callers answered together come back together: waiting this long for the next one costs less than
// one sync each.
constexpr std::chrono::microseconds kGroupLinger{100};

}  // namespace

GroupWriter::GroupWriter(Connection& db, Hooks hooks)
    : db_(db),
      hooks_(std::move(hooks)),
      begin_(db, "BEGIN IMMEDIATE"),
      commit_(db, "COMMIT"),
      rollback_(db, "ROLLBACK"),
      savepoint_(db, "SAVEPOINT command"),
      release_(db, "RELEASE command"),
      undo_(db, "ROLLBACK TO command"),
      thread_([this] { work(); }) {}

GroupWriter::~GroupWriter() {
  queue_.close();
  thread_.join();
}

void GroupWriter::submit(std::unique_ptr<WriteCommand> command) {
  auto refused = queue_.push(std::move(command));
  if (!refused) return;
  const Error closed{ErrorCode::unavailable, "the store is closed"};
  refused->finish(&closed);
}

void GroupWriter::work() {
  while (true) {
    Commands group = queue_.take(kMaxGroup, std::min(expected_, kMaxGroup), kGroupLinger);
    if (group.empty()) return;
    for (std::size_t first = 0; first < group.size();) first = run_group(group, first);
  }
}

// Runs commands from `first` on in one transaction and answers them; returns the first one left for
// the next transaction.
std::size_t GroupWriter::run_group(Commands& group, std::size_t first) {
  const auto start = std::chrono::steady_clock::now();
  if (auto begun = begin_.run(); !begun) {
    fail(group, first, group.size(), begun.error());
    return group.size();
  }
  std::size_t last = run_optimistically(group, first);
  if (!db_.in_transaction()) {
    if (auto begun = begin_.run(); !begun) {
      fail(group, first, last, begun.error());
      return last;
    }
    last = run_with_savepoints(group, first, last);
    if (!db_.in_transaction()) {
      fail(group, first, last, cause_of_loss());
      return last;
    }
  }
  if (auto done = commit(); !done) {
    fail(group, first, last, done.error());
    return last;
  }
  if (hooks_.measured) hooks_.measured(std::chrono::steady_clock::now() - start);
  hooks_.committed();
  expected_ = last - first + queue_.size();
  for (std::size_t i = first; i < last; ++i) group[i]->finish(nullptr);
  return last;
}

// Returns the end of what was run. After a command that failed halfway no transaction is open.
std::size_t GroupWriter::run_optimistically(Commands& group, std::size_t first) {
  const auto start = std::chrono::steady_clock::now();
  std::size_t next = first;
  while (next < group.size() && std::chrono::steady_clock::now() - start < kMaxGroupTime) {
    const auto changes = sqlite3_total_changes64(db_.handle());
    if (group[next++]->run()) continue;
    if (db_.in_transaction() && sqlite3_total_changes64(db_.handle()) == changes) continue;
    roll_back();
    return next;
  }
  return next;
}

// Runs the commands again, each in its own savepoint. Stops when SQLite has rolled back the
// transaction.
std::size_t GroupWriter::run_with_savepoints(Commands& group, std::size_t first, std::size_t last) {
  for (std::size_t next = first; next < last; ++next) {
    if (run_in_savepoint(*group[next])) continue;
    if (!db_.in_transaction()) return next + 1;
  }
  return last;
}

bool GroupWriter::run_in_savepoint(WriteCommand& command) {
  if (!savepoint_.run()) {
    roll_back();
    return false;
  }
  const bool done = command.run() && release_.run();
  if (done) return true;
  hooks_.undone();
  if (db_.in_transaction() && !(undo_.run() && release_.run())) roll_back();
  return false;
}

void GroupWriter::fail(Commands& group, std::size_t first, std::size_t last, const Error& why) {
  for (std::size_t i = first; i < last; ++i) group[i]->finish(&why);
}

// SQLite rolls back a whole transaction by itself when continuing would be unsafe (disk full, I/O).
Error GroupWriter::cause_of_loss() const {
  const int code = sqlite3_extended_errcode(db_.handle());
  if (code != SQLITE_OK) return db_.error(code).during("the transaction was rolled back");
  return {ErrorCode::unavailable, "the transaction was rolled back in " + db_.file().string()};
}

Status GroupWriter::commit() {
  auto done = commit_.run();
  if (!done) roll_back();
  return done;
}

void GroupWriter::roll_back() {
  hooks_.undone();
  if (db_.in_transaction()) (void)rollback_.run();
}

}  // namespace heddle::store

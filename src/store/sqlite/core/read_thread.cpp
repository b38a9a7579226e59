#include "store/sqlite/core/read_thread.hpp"

#include <chrono>
#include <utility>

namespace heddle::store {

ReadThread::ReadThread(Connection& db)
    : begin_(db, "BEGIN"), end_(db, "COMMIT"), thread_([this] { work(); }) {}

ReadThread::~ReadThread() {
  queue_.close();
  thread_.join();
}

void ReadThread::submit(std::unique_ptr<ReadCommand> command) {
  auto refused = queue_.push(std::move(command));
  if (!refused) return;
  const Error closed{ErrorCode::unavailable, "the store is closed"};
  refused->run(&closed);
}

void ReadThread::work() {
  while (true) {
    auto commands = queue_.take(16, 1, std::chrono::microseconds(0));
    if (commands.empty()) return;
    for (auto& command : commands) run(*command);
  }
}

// One transaction per command gives it a consistent snapshot.
void ReadThread::run(ReadCommand& command) {
  if (auto begun = begin_.run(); !begun) return command.run(&begun.error());
  command.run(nullptr);
  (void)end_.run();  // nothing was written: nothing can be lost
}

}  // namespace heddle::store

#include "store/scripts/sql_thread.hpp"

namespace heddle::store {

SqlThread::SqlThread(std::unique_ptr<SqlSession> session)
    : session_(std::move(session)), thread_([this] { work(); }) {}

SqlThread::~SqlThread() {
  queue_.close();
  thread_.join();
}

void SqlThread::submit(std::unique_ptr<SqlCommand> command) {
  if (auto refused = queue_.push(std::move(command))) refused->run(nullptr);
}

void SqlThread::work() {
  while (true) {
    auto commands = queue_.take(1, 1, std::chrono::microseconds(0));
    if (commands.empty()) return;
    set_running(ScriptDatabase::Running{commands[0]->job(), std::chrono::steady_clock::now()});
    commands[0]->run(session_.get());
    set_running(std::nullopt);
  }
}

void SqlThread::set_running(std::optional<ScriptDatabase::Running> running) {
  const std::lock_guard lock(mutex_);
  running_ = std::move(running);
}

std::optional<ScriptDatabase::Running> SqlThread::running() const {
  const std::lock_guard lock(mutex_);
  return running_;
}

}  // namespace heddle::store

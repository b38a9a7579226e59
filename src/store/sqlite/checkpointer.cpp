#include "store/sqlite/checkpointer.hpp"

#include <algorithm>

namespace heddle::store {

namespace {

constexpr std::size_t kPageBytes = 4096;
constexpr int kPassesPerLog = 4;

}  // namespace

Checkpointer::Checkpointer(Connection& writer, std::unique_ptr<Connection> own,
                           std::size_t log_bytes, Log& log)
    : writer_(writer),
      own_(std::move(own)),
      log_(log),
      pass_pages_(static_cast<int>(std::max<std::size_t>(1, log_bytes / kPageBytes))),
      long_pages_(pass_pages_ * kPassesPerLog),
      thread_([this] { work(); }) {
  sqlite3_wal_hook(writer_.handle(), &Checkpointer::note_log_size, this);
}

Checkpointer::~Checkpointer() {
  sqlite3_wal_hook(writer_.handle(), nullptr, nullptr);
  {
    const std::lock_guard lock(mutex_);
    state_ = Thread::ending;
  }
  wake_.notify_one();
  thread_.join();
}

int Checkpointer::note_log_size(void* self, sqlite3*, const char*, int pages) {
  static_cast<Checkpointer*>(self)->log_pages_ = pages;
  return SQLITE_OK;
}

void Checkpointer::after_commit() {
  if (log_pages_ < passed_pages_) passed_pages_ = 0;  // it has started anew
  if (passed_pages_ >= long_pages_) {
    finish_off();
  } else if (log_pages_ - passed_pages_ >= pass_pages_) {
    passed_pages_ = log_pages_;
    want_pass();
  }
}

void Checkpointer::want_pass() {
  {
    const std::lock_guard lock(mutex_);
    state_ = Thread::wanted;
  }
  wake_.notify_one();
}

// What was committed during the last pass is all that is left. Failed: the next commit comes here
// again.
void Checkpointer::finish_off() {
  {
    const std::lock_guard lock(mutex_);
    if (state_ != Thread::idle) return;
  }
  sqlite3_wal_checkpoint_v2(writer_.handle(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
}

// False at the end.
bool Checkpointer::wait_until_wanted() {
  std::unique_lock lock(mutex_);
  if (state_ == Thread::working) state_ = Thread::idle;
  wake_.wait(lock, [this] { return state_ == Thread::wanted || state_ == Thread::ending; });
  if (state_ == Thread::ending) return false;
  state_ = Thread::working;
  return true;
}

void Checkpointer::work() {
  while (wait_until_wanted()) {
    const int code = sqlite3_wal_checkpoint_v2(own_->handle(), nullptr, SQLITE_CHECKPOINT_PASSIVE,
                                               nullptr, nullptr);
    // Nothing is lost: the log keeps what could not flow back, and a later pass tries again.
    if (code != SQLITE_OK && (code & 0xFF) != SQLITE_BUSY)
      log_.warn(own_->error(code).during("write the log back").message);
  }
}

}  // namespace heddle::store

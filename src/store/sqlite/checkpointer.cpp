#include "store/sqlite/checkpointer.hpp"

#include <algorithm>

namespace heddle::store {

namespace {

constexpr std::size_t kPageBytes = 4096;
constexpr int kHardFactor = 4;

}  // namespace

Checkpointer::Checkpointer(Connection& writer, std::unique_ptr<Connection> own,
                           std::size_t log_bytes, Log& log)
    : writer_(writer),
      own_(std::move(own)),
      log_(log),
      soft_pages_(static_cast<int>(std::max<std::size_t>(1, log_bytes / kPageBytes))),
      hard_pages_(soft_pages_ * kHardFactor),
      thread_([this] { work(); }) {
  sqlite3_wal_hook(writer_.handle(), &Checkpointer::note_log_size, this);
}

Checkpointer::~Checkpointer() {
  sqlite3_wal_hook(writer_.handle(), nullptr, nullptr);
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

int Checkpointer::note_log_size(void* self, sqlite3*, const char*, int pages) {
  static_cast<Checkpointer*>(self)->log_pages_ = pages;
  return SQLITE_OK;
}

void Checkpointer::after_commit() {
  if (log_pages_ < soft_pages_) return;
  if (log_pages_ >= hard_pages_) {
    // Most of the log has flowed back already; once the rest has, the log starts anew. Busy (the
    // thread is at it) or failed: the next commit comes here again.
    sqlite3_wal_checkpoint_v2(writer_.handle(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr,
                              nullptr);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    is_wanted_ = true;
  }
  wake_.notify_one();
}

// False at the end.
bool Checkpointer::wait_until_wanted() {
  std::unique_lock lock(mutex_);
  wake_.wait(lock, [this] { return is_wanted_ || is_ending_; });
  is_wanted_ = false;
  return !is_ending_;
}

void Checkpointer::work() {
  while (wait_until_wanted()) {
    const int code = sqlite3_wal_checkpoint_v2(own_->handle(), nullptr, SQLITE_CHECKPOINT_PASSIVE,
                                               nullptr, nullptr);
    // Nothing is lost: the log keeps what could not flow back, and the next commit tries again.
    if (code != SQLITE_OK && (code & 0xFF) != SQLITE_BUSY)
      log_.warn(own_->error(code).during("write the log back").message);
  }
}

}  // namespace heddle::store

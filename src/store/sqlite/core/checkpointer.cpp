#include "store/sqlite/core/checkpointer.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

namespace heddle::store {

namespace {

constexpr std::size_t kPageBytes = 4096;
constexpr int kLeastPassPages = 32;             // smaller passes would only sync
constexpr std::uintmax_t kSmallWal = 2u << 20;  // not worth truncating when idle
constexpr int kTruncateAttempts = 20;
constexpr std::chrono::milliseconds kTruncateRetryDelay{25};

int pages_in(std::size_t bytes) {
  return static_cast<int>(std::clamp<std::size_t>(bytes / kPageBytes, 1, 1u << 30));
}

bool is_busy(int code) {
  return (code & 0xFF) == SQLITE_BUSY || (code & 0xFF) == SQLITE_LOCKED;
}

std::uintmax_t wal_size(const std::filesystem::path& database) {
  std::error_code failed;
  const auto size = std::filesystem::file_size(database.string() + "-wal", failed);
  return failed ? 0 : size;
}

}  // namespace

Checkpointer::Checkpointer(Connection& writer, std::unique_ptr<Connection> own, Pace pace, Log& log)
    : writer_(writer),
      own_(std::move(own)),
      log_(log),
      pace_(pace),
      pass_pages_(pages_in(pace.pass_bytes)),
      thread_([this] { work(); }) {
  sqlite3_wal_hook(writer_.handle(), &Checkpointer::on_wal_commit, this);
  apply_wal_limit();
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

int Checkpointer::on_wal_commit(void* self, sqlite3*, const char*, int pages) {
  static_cast<Checkpointer*>(self)->wal_pages_ = pages;
  return SQLITE_OK;
}

void Checkpointer::after_commit() {
  ++commits_;
  apply_wal_limit();
  const int pass_pages = pass_pages_;
  if (wal_pages_ < requested_pages_) requested_pages_ = 0;  // the WAL was restarted
  if (requested_pages_ >= pass_pages * kPassesPerWal) {
    checkpoint_on_writer();
  } else if (wal_pages_ - requested_pages_ >= pass_pages) {
    requested_pages_ = wal_pages_;
    request_pass();
  }
}

// The writer's connection decides how much of a restarted WAL stays on the disk.
void Checkpointer::apply_wal_limit() {
  const int pages = pass_pages_ * kPassesPerWal;
  if (pages == limit_pages_) return;
  limit_pages_ = pages;
  const auto bytes = static_cast<std::size_t>(pages) * kPageBytes;
  auto set = writer_.execute("PRAGMA journal_size_limit=" + std::to_string(bytes));
  if (!set) log_.warn(std::move(set).error().during("cannot limit the write-ahead log").message);
}

void Checkpointer::set_wal_limit(std::size_t wal_bytes) {
  const int wanted = std::max(kLeastPassPages, pages_in(wal_bytes / kPassesPerWal));
  pass_pages_ = std::min(wanted, pages_in(pace_.pass_bytes));
}

void Checkpointer::truncate(std::function<void()> on_done) {
  {
    const std::lock_guard lock(mutex_);
    truncations_.push_back(std::move(on_done));
  }
  wake_.notify_one();
}

void Checkpointer::request_pass() {
  {
    const std::lock_guard lock(mutex_);
    is_pass_requested_ = true;
  }
  wake_.notify_one();
}

// Only commits made during the last pass are left, unless a busy machine has not let the own thread
// begin it: then the writer makes the pass before the WAL grows further. After a failure the next
// commit tries again.
void Checkpointer::checkpoint_on_writer() {
  const bool is_overdue = wal_pages_ >= 2 * pass_pages_ * kPassesPerWal;
  {
    const std::lock_guard lock(mutex_);
    if (is_working_ || (is_pass_requested_ && !is_overdue) || !truncations_.empty()) return;
    is_pass_requested_ = false;
  }
  sqlite3_wal_checkpoint_v2(writer_.handle(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
}

Checkpointer::Task Checkpointer::next_task() {
  std::unique_lock lock(mutex_);
  is_working_ = false;
  const bool has_work = wake_.wait_for(lock, pace_.idle_after, [this] {
    return is_ending_ || is_pass_requested_ || !truncations_.empty();
  });
  if (is_ending_) return Task::end;
  if (!has_work) return Task::check_idle;
  is_working_ = true;
  if (!truncations_.empty()) return Task::truncate;
  is_pass_requested_ = false;
  return Task::pass;
}

void Checkpointer::work() {
  // A truncation that waits for a reader would block the writer too.
  sqlite3_busy_timeout(own_->handle(), 0);
  while (true) {
    const Task task = next_task();
    if (task == Task::end) break;
    if (task == Task::pass) write_back();
    if (task == Task::check_idle) truncate_when_idle();
    if (task != Task::truncate) continue;
    std::vector<std::function<void()>> callers;
    {
      const std::lock_guard lock(mutex_);
      callers.swap(truncations_);
    }
    truncate_with_retries();
    for (const auto& on_done : callers) on_done();
  }
  for (const auto& on_done : truncations_) on_done();
}

// Nothing is lost on failure: the WAL keeps its pages, and a later pass tries again.
int Checkpointer::pass(int mode, int* pages, int* written) {
  const int code = sqlite3_wal_checkpoint_v2(own_->handle(), nullptr, mode, pages, written);
  if (is_busy(code)) return code;
  if (std::exchange(last_code_, code) != code && code != SQLITE_OK)
    log_.warn(own_->error(code).during("cannot checkpoint the write-ahead log").message);
  return code;
}

void Checkpointer::write_back() {
  pass(SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
}

void Checkpointer::truncate_with_retries() {
  for (int i = 0; i < kTruncateAttempts; ++i)
    if (wal_size(own_->file()) == 0 || try_truncate() || !wait_before_retry()) return;
}

// The truncation blocks the writer, so it starts only when all pages are written back. Returns
// false while readers or new commits prevent it.
bool Checkpointer::try_truncate() {
  int pages = 0;
  int written = 0;
  const int code = pass(SQLITE_CHECKPOINT_PASSIVE, &pages, &written);
  if (code != SQLITE_OK) return !is_busy(code);
  if (written < pages) return false;
  return !is_busy(pass(SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr));
}

// Returns false on shutdown.
bool Checkpointer::wait_before_retry() {
  std::unique_lock lock(mutex_);
  return !wake_.wait_for(lock, kTruncateRetryDelay, [this] { return is_ending_; });
}

void Checkpointer::truncate_when_idle() {
  const std::uint64_t commits = commits_;
  if (std::exchange(seen_commits_, commits) == commits && wal_size(own_->file()) > kSmallWal)
    try_truncate();
}

}  // namespace heddle::store

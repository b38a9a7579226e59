#include "store/sqlite/checkpointer.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

namespace heddle::store {

namespace {

constexpr std::size_t kPageBytes = 4096;
constexpr int kLeastPassPages = 32;             // smaller passes would only sync
constexpr std::uintmax_t kSmallLog = 2u << 20;  // worth nobody's while when all is quiet
constexpr int kCutTries = 20;
constexpr std::chrono::milliseconds kBetweenCutTries{25};

int pages_in(std::size_t bytes) {
  return static_cast<int>(std::clamp<std::size_t>(bytes / kPageBytes, 1, 1u << 30));
}

bool is_busy(int code) {
  return (code & 0xFF) == SQLITE_BUSY || (code & 0xFF) == SQLITE_LOCKED;
}

std::uintmax_t log_size(const std::filesystem::path& database) {
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
  sqlite3_wal_hook(writer_.handle(), &Checkpointer::note_log_size, this);
  follow_pace();
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
  ++commits_;
  follow_pace();
  const int pass_pages = pass_pages_;
  if (log_pages_ < passed_pages_) passed_pages_ = 0;  // it has started anew
  if (passed_pages_ >= pass_pages * kPassesPerLog) {
    finish_off();
  } else if (log_pages_ - passed_pages_ >= pass_pages) {
    passed_pages_ = log_pages_;
    want_pass();
  }
}

// What a log that starts anew leaves behind on the disk is the writer's connection's affair.
void Checkpointer::follow_pace() {
  const int pages = pass_pages_ * kPassesPerLog;
  if (pages == kept_pages_) return;
  kept_pages_ = pages;
  const auto bytes = static_cast<std::size_t>(pages) * kPageBytes;
  auto set = writer_.execute("PRAGMA journal_size_limit=" + std::to_string(bytes));
  if (!set) log_.warn(std::move(set).error().during("bound the log").message);
}

void Checkpointer::keep_within(std::size_t log_bytes) {
  const int wanted = std::max(kLeastPassPages, pages_in(log_bytes / kPassesPerLog));
  pass_pages_ = std::min(wanted, pages_in(pace_.pass_bytes));
}

void Checkpointer::cut(std::function<void()> on_done) {
  {
    const std::lock_guard lock(mutex_);
    cuts_.push_back(std::move(on_done));
  }
  wake_.notify_one();
}

void Checkpointer::want_pass() {
  {
    const std::lock_guard lock(mutex_);
    is_pass_wanted_ = true;
  }
  wake_.notify_one();
}

// What was committed during the last pass is all that is left. Failed: the next commit comes here
// again.
void Checkpointer::finish_off() {
  {
    const std::lock_guard lock(mutex_);
    if (is_working_ || is_pass_wanted_ || !cuts_.empty()) return;
  }
  sqlite3_wal_checkpoint_v2(writer_.handle(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
}

Checkpointer::Task Checkpointer::next_task() {
  std::unique_lock lock(mutex_);
  is_working_ = false;
  const bool is_wanted = wake_.wait_for(
      lock, pace_.quiet_after, [this] { return is_ending_ || is_pass_wanted_ || !cuts_.empty(); });
  if (is_ending_) return Task::end;
  if (!is_wanted) return Task::look_for_quiet;
  is_working_ = true;
  if (!cuts_.empty()) return Task::cut;
  is_pass_wanted_ = false;
  return Task::pass;
}

void Checkpointer::work() {
  // Whoever waits for a reader with a cut begun keeps the writer waiting too.
  sqlite3_busy_timeout(own_->handle(), 0);
  while (true) {
    const Task task = next_task();
    if (task == Task::end) break;
    if (task == Task::pass) write_back();
    if (task == Task::look_for_quiet) cut_when_quiet();
    if (task != Task::cut) continue;
    std::vector<std::function<void()>> callers;
    {
      const std::lock_guard lock(mutex_);
      callers.swap(cuts_);
    }
    cut_patiently();
    for (const auto& on_done : callers) on_done();
  }
  for (const auto& on_done : cuts_) on_done();
}

// Nothing is lost when it fails: the log keeps what could not flow back, and a later pass tries
// again.
int Checkpointer::pass(int mode, int* pages, int* written) {
  const int code = sqlite3_wal_checkpoint_v2(own_->handle(), nullptr, mode, pages, written);
  if (is_busy(code)) return code;
  if (std::exchange(last_code_, code) != code && code != SQLITE_OK)
    log_.warn(own_->error(code).during("write the log back").message);
  return code;
}

void Checkpointer::write_back() {
  pass(SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
}

void Checkpointer::cut_patiently() {
  for (int i = 0; i < kCutTries; ++i)
    if (log_size(own_->file()) == 0 || cut_once() || !rest_before_next_try()) return;
}

// The cut itself keeps the writer waiting, so that it begins only when all pages are written back.
// False: readers are in the way, or new commits.
bool Checkpointer::cut_once() {
  int pages = 0;
  int written = 0;
  const int code = pass(SQLITE_CHECKPOINT_PASSIVE, &pages, &written);
  if (code != SQLITE_OK) return !is_busy(code);
  if (written < pages) return false;
  return !is_busy(pass(SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr));
}

// False at the end.
bool Checkpointer::rest_before_next_try() {
  std::unique_lock lock(mutex_);
  return !wake_.wait_for(lock, kBetweenCutTries, [this] { return is_ending_; });
}

void Checkpointer::cut_when_quiet() {
  const std::uint64_t commits = commits_;
  if (std::exchange(seen_commits_, commits) == commits && log_size(own_->file()) > kSmallLog)
    cut_once();
}

}  // namespace heddle::store

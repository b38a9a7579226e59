#include "cli/output_tail.hpp"

#include <chrono>

namespace heddle::cli {

namespace {

constexpr std::chrono::milliseconds kPollInterval{100};
constexpr std::size_t kMaxEarlierLines = 10'000;  // lines that this run may have written before

}  // namespace

void OutputTail::follow(const RunId& run) {
  if (thread_.joinable()) return;
  thread_ = std::thread([this, id = run.text] { print_until_finished(id); });
}

void OutputTail::finish() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_finished_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void OutputTail::print_until_finished(const std::string& run) {
  LogFileTail file(file_, kMaxEarlierLines);
  std::unique_lock lock(mutex_);
  while (true) {
    const bool is_last = is_finished_;
    lock.unlock();
    print_new(file, run);
    lock.lock();
    if (is_last) return;
    changed_.wait_for(lock, kPollInterval, [this] { return is_finished_; });
  }
}

// "RUN PROGRAM STREAM: text"
void OutputTail::print_new(LogFileTail& file, const std::string& run) {
  for (const JobLogLine& line : file.read_new()) {
    if (!line.text.starts_with(run + " ")) continue;
    const std::size_t colon = line.text.find(": ");
    if (colon == std::string::npos) continue;
    const bool is_error = line.text.substr(0, colon).ends_with(" stderr");
    (is_error ? err_ : out_).line(line.text.substr(colon + 2));
  }
  (void)out_.finish();
}

}  // namespace heddle::cli

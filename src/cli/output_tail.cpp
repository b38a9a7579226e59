#include "cli/output_tail.hpp"

#include <chrono>

namespace heddle::cli {

namespace {

constexpr std::chrono::milliseconds kLook{100};
constexpr std::size_t kLookBack = 10'000;  // lines of the file that may be of this run already

}  // namespace

void OutputTail::follow(const RunId& run) {
  if (thread_.joinable()) return;
  thread_ = std::thread([this, id = run.text] { work(id); });
}

void OutputTail::finish() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void OutputTail::work(const std::string& run) {
  GrowingFile file(file_, kLookBack);
  std::unique_lock lock(mutex_);
  while (true) {
    const bool is_last = is_over_;
    lock.unlock();
    print_new(file, run);
    lock.lock();
    if (is_last) return;
    changed_.wait_for(lock, kLook, [this] { return is_over_; });
  }
}

// "RUN PROGRAM STREAM: text"
void OutputTail::print_new(GrowingFile& file, const std::string& run) {
  for (const LogLine& line : file.read_new()) {
    if (!line.text.starts_with(run + " ")) continue;
    const std::size_t colon = line.text.find(": ");
    if (colon == std::string::npos) continue;
    const bool is_error = line.text.substr(0, colon).ends_with(" stderr");
    (is_error ? err_ : out_).line(line.text.substr(colon + 2));
  }
  (void)out_.finish();
}

}  // namespace heddle::cli

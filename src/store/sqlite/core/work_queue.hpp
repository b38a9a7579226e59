// Queues work from many threads for one, which takes it in batches. Thread-safe.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace heddle::store {

template <class Work>
class WorkQueue {
 public:
  using Entry = std::unique_ptr<Work>;

  // Returns the entry when the queue is closed.
  Entry push(Entry entry) {
    {
      const std::lock_guard lock(mutex_);
      if (is_closed_) return entry;
      entries_.push_back(std::move(entry));
      if (entries_.size() < wanted_) return nullptr;
    }
    has_work_.notify_one();
    return nullptr;
  }

  // Waits for work; empty only after close() when everything was taken. With fewer entries than
  // `expected`, waits for more as long as one arrives within `linger`.
  std::vector<Entry> take(std::size_t max, std::size_t expected, std::chrono::microseconds linger) {
    std::unique_lock lock(mutex_);
    wanted_ = 1;
    has_work_.wait(lock, [this] { return is_closed_ || !entries_.empty(); });
    wanted_ = expected;
    const auto is_enough = [&] { return is_closed_ || entries_.size() >= expected; };
    for (std::size_t before = 0; !is_enough() && entries_.size() > before;) {
      before = entries_.size();
      has_work_.wait_for(lock, linger, is_enough);
    }
    wanted_ = SIZE_MAX;  // not waiting: push() need not notify
    const auto count = static_cast<std::ptrdiff_t>(std::min(max, entries_.size()));
    std::vector<Entry> taken(std::make_move_iterator(entries_.begin()),
                             std::make_move_iterator(entries_.begin() + count));
    entries_.erase(entries_.begin(), entries_.begin() + count);
    return taken;
  }

  [[nodiscard]] std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return entries_.size();
  }

  void close() {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    has_work_.notify_all();
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable has_work_;
  std::deque<Entry> entries_;
  std::size_t wanted_ = 1;  // how many entries take() waits for
  bool is_closed_ = false;
};

}  // namespace heddle::store

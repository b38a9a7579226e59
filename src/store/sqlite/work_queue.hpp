// A queue from many threads to one, which takes what has gathered. Thread-safe.
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
  using Piece = std::unique_ptr<Work>;

  // Gives the piece back when the queue is closed.
  Piece push(Piece piece) {
    {
      const std::lock_guard lock(mutex_);
      if (is_closed_) return piece;
      pieces_.push_back(std::move(piece));
      if (pieces_.size() < wanted_) return nullptr;
    }
    has_work_.notify_one();
    return nullptr;
  }

  // Waits for work; empty only after close() and when all was taken. When fewer pieces than
  // `expected` are there, waits for the others as long as one comes within `patience`.
  std::vector<Piece> take(std::size_t max, std::size_t expected,
                          std::chrono::microseconds patience) {
    std::unique_lock lock(mutex_);
    wanted_ = 1;
    has_work_.wait(lock, [this] { return is_closed_ || !pieces_.empty(); });
    wanted_ = expected;
    const auto is_enough = [&] { return is_closed_ || pieces_.size() >= expected; };
    for (std::size_t before = 0; !is_enough() && pieces_.size() > before;) {
      before = pieces_.size();
      has_work_.wait_for(lock, patience, is_enough);
    }
    wanted_ = SIZE_MAX;  // nobody waits: pushing need not wake anyone
    const auto count = static_cast<std::ptrdiff_t>(std::min(max, pieces_.size()));
    std::vector<Piece> taken(std::make_move_iterator(pieces_.begin()),
                             std::make_move_iterator(pieces_.begin() + count));
    pieces_.erase(pieces_.begin(), pieces_.begin() + count);
    return taken;
  }

  [[nodiscard]] std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return pieces_.size();
  }

  void close() {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    has_work_.notify_all();
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable has_work_;
  std::deque<Piece> pieces_;
  std::size_t wanted_ = 1;  // how many pieces the taker waits for
  bool is_closed_ = false;
};

}  // namespace heddle::store

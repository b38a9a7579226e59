// Lets other threads post work to an event loop until it is closed.
#pragma once

#include <functional>
#include <mutex>
#include <optional>

#include "base/async.hpp"

namespace heddle::supervise {

class LoopGate {
 public:
  explicit LoopGate(boost::asio::any_io_executor executor) : executor_(std::move(executor)) {}

  // Any thread. Does nothing after close().
  void post(std::function<void()> work);

  // On the loop. Nothing is posted after it has returned.
  void close();

 private:
  std::mutex mutex_;
  std::optional<boost::asio::any_io_executor> executor_;
};

}  // namespace heddle::supervise

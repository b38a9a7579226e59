// Lets other threads put work on an event loop for as long as somebody lives there.
#pragma once

#include <functional>
#include <mutex>
#include <optional>

#include "base/async.hpp"

namespace heddle::supervise {

class LoopGate {
 public:
  explicit LoopGate(boost::asio::any_io_executor executor) : executor_(std::move(executor)) {}

  // Any thread. After close() nothing happens.
  void post(std::function<void()> work);

  // On the loop. Nothing is posted once it has returned.
  void close();

 private:
  std::mutex mutex_;
  std::optional<boost::asio::any_io_executor> executor_;
};

}  // namespace heddle::supervise

// Handles SIGTERM and SIGINT for a host whose coordinator shuts down on them. One event loop.
#pragma once

#include <functional>
#include <memory>

#include "base/async.hpp"

namespace heddle::embed {

class StopSignals {
 public:
  // Calls `on_first` for the first signal; a second one ends the process immediately.
  StopSignals(const boost::asio::any_io_executor& executor, std::function<void(int)> on_first);
  ~StopSignals();  // restores the previous handlers
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

 private:
  struct State;
  static void wait(const std::shared_ptr<State>& state);
  std::shared_ptr<State> state_;
};

}  // namespace heddle::embed

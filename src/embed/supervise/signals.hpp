// SIGTERM and SIGINT for a host that wants them to end its coordinator. One loop.
#pragma once

#include <functional>
#include <memory>

#include "base/async.hpp"

namespace heddle::embed {

class StopSignals {
 public:
  // Calls back for the first signal; a second one ends the process at once.
  StopSignals(const boost::asio::any_io_executor& executor, std::function<void(int)> on_first);
  ~StopSignals();  // the handlers that were there before are back
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

 private:
  struct State;
  static void wait(const std::shared_ptr<State>& state);
  std::shared_ptr<State> state_;
};

}  // namespace heddle::embed

// Runs the coordinator's event loop on the thread that calls run(), or through the host's executor;
// then a helper thread only waits and posts completions to the host.
#pragma once

#include <memory>

#include <heddle/coordinator.hpp>

#include "base/async.hpp"

namespace heddle::embed {

class HostLoop {
 public:
  explicit HostLoop(Executor host);
  ~HostLoop();  // functions still queued at the host do nothing
  HostLoop(const HostLoop&) = delete;
  HostLoop& operator=(const HostLoop&) = delete;

  // Runs functions one at a time on the loop thread.
  [[nodiscard]] boost::asio::any_io_executor executor() const;

  // Only without a host's executor. Returns after stop().
  void run();
  void stop();

  // On the loop thread. No function of this loop runs after it has returned.
  void close();

 private:
  struct State;
  class HostExecutor;
  std::shared_ptr<State> state_;  // shared with functions queued at the host
};

}  // namespace heddle::embed

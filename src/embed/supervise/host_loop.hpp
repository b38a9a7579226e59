// The coordinator's event loop: on the thread that calls run(), or through the host's executor;
// then a small thread only waits and hands everything over.
#pragma once

#include <memory>

#include <heddle/coordinator.hpp>

#include "base/async.hpp"

namespace heddle::embed {

class HostLoop {
 public:
  explicit HostLoop(Executor host);
  ~HostLoop();  // what is still queued at the host is dropped there
  HostLoop(const HostLoop&) = delete;
  HostLoop& operator=(const HostLoop&) = delete;

  // Work given to it runs one at a time on the loop thread.
  [[nodiscard]] boost::asio::any_io_executor executor() const;

  // Without a host's executor: until stop().
  void run();
  void stop();

  // On the loop thread: nothing of ours runs any more once this has returned.
  void close();

 private:
  struct State;
  class HostExecutor;
  std::shared_ptr<State> state_;  // shared with what is queued at the host
};

}  // namespace heddle::embed

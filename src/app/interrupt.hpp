// Interrupt turns the first SIGINT or SIGTERM into a graceful shutdown; the second one exits
// immediately. One event loop; one instance at a time.
#pragma once

#include <functional>

#include <boost/asio/posix/stream_descriptor.hpp>

namespace heddle::app {

class Interrupt {
 public:
  // Calls `on_first` on the loop. The second signal exits with status 130 even if the loop has not
  // handled the first one.
  Interrupt(boost::asio::io_context& loop, std::function<void()> on_first);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

 private:
  boost::asio::posix::stream_descriptor wake_;
  std::function<void()> on_first_;
};

}  // namespace heddle::app

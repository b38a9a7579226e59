// Interrupt turns the first SIGINT or SIGTERM into a graceful shutdown; the second one exits
// immediately. One event loop; one instance at a time.
#pragma once

#include <functional>
#include <memory>

namespace boost::asio {
class io_context;
}

namespace heddle::app {

class Interrupt {
 public:
  // Calls `on_first` on the loop. The second signal exits with status 130 even if the loop has not
  // handled the first one.
  Interrupt(boost::asio::io_context& loop, std::function<void()> on_first);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  [[nodiscard]] bool has_happened() const;

 private:
  struct Signals;
  std::unique_ptr<Signals> signals_;
};

}  // namespace heddle::app

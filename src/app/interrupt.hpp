// Turns Ctrl-C and SIGTERM into a polite end; a second one is final. One event loop, one at a time.
#pragma once

#include <functional>
#include <memory>

namespace boost::asio {
class io_context;
}

namespace heddle::app {

class Interrupt {
 public:
  // `on_first` is called on the loop. The second signal ends the process at once, status 130, also
  // when the loop has not come to the first one.
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

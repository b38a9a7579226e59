#include "app/interrupt.hpp"

#include <csignal>
#include <cstdlib>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

namespace heddle::app {

namespace {

extern "C" void end_at_once(int /*signal*/) {
  std::_Exit(130);
}

}  // namespace

struct Interrupt::Signals {
  Signals(boost::asio::io_context& loop, std::function<void()> on_first_in)
      : set(loop, SIGINT, SIGTERM), on_first(std::move(on_first_in)) {
    wait();
  }

  void wait() {
    set.async_wait([this](boost::system::error_code cancelled, int) {
      if (cancelled) return;
      has_happened = true;
      // The second one must work even when the loop does not.
      set.clear();
      std::signal(SIGINT, end_at_once);
      std::signal(SIGTERM, end_at_once);
      on_first();
    });
  }

  boost::asio::signal_set set;
  std::function<void()> on_first;
  bool has_happened = false;
};

Interrupt::Interrupt(boost::asio::io_context& loop, std::function<void()> on_first)
    : signals_(std::make_unique<Signals>(loop, std::move(on_first))) {}

Interrupt::~Interrupt() = default;

bool Interrupt::has_happened() const {
  return signals_->has_happened;
}

}  // namespace heddle::app

#include "embed/supervise/signals.hpp"

#include <cstdlib>

#include <boost/asio/signal_set.hpp>
#include <signal.h>

namespace heddle::embed {

namespace asio = boost::asio;

struct StopSignals::State {
  explicit State(const asio::any_io_executor& executor) : signals(executor) {
    sigaction(SIGTERM, nullptr, &before_term);
    sigaction(SIGINT, nullptr, &before_int);
    signals.add(SIGTERM);
    signals.add(SIGINT);
  }

  struct sigaction before_term {};
  struct sigaction before_int {};
  asio::signal_set signals;
  std::function<void(int)> on_first;
  bool has_fired = false;
};

StopSignals::StopSignals(const asio::any_io_executor& executor, std::function<void(int)> on_first)
    : state_(std::make_shared<State>(executor)) {
  state_->on_first = std::move(on_first);
  wait(state_);
}

StopSignals::~StopSignals() {
  state_->on_first = nullptr;
  boost::system::error_code ignored;
  state_->signals.cancel(ignored);
  state_->signals.clear(ignored);  // sets the default actions
  sigaction(SIGTERM, &state_->before_term, nullptr);
  sigaction(SIGINT, &state_->before_int, nullptr);
}

void StopSignals::wait(const std::shared_ptr<State>& state) {
  state->signals.async_wait([state](boost::system::error_code error, int signal) {
    if (error || !state->on_first) return;
    if (state->has_fired) std::_Exit(128 + signal);  // the kernel kills the supervised processes
    state->has_fired = true;
    state->on_first(signal);
    wait(state);
  });
}

}  // namespace heddle::embed

#include "commands/start_gate.hpp"

#include <deque>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>

#include "base/doorbell.hpp"

namespace heddle::commands {

struct StartGate::State {
  void pass_on() {
    is_taken = !waiting.empty();
    if (!is_taken) return;
    const auto next = std::move(waiting.front());
    waiting.pop_front();
    next->ring();
  }

  boost::asio::any_io_executor loop;
  bool is_taken = false;
  std::deque<std::shared_ptr<Doorbell>> waiting;
};

StartGate::StartGate() : state_(std::make_shared<State>()) {}
StartGate::~StartGate() = default;

Async<StartGate::Turn> StartGate::enter() {
  const auto state = state_;
  state->loop = co_await boost::asio::this_coro::executor;
  if (state->is_taken) {
    const auto bell = std::make_shared<Doorbell>();
    state->waiting.push_back(bell);
    co_await bell->wait();  // the turn is ours when it rings
  }
  state->is_taken = true;
  co_return Turn(state);
}

// Posted, and not at once: many who come in the same round of the loop would not meet a closed gate
// otherwise, and all start in that round.
void StartGate::Turn::end() {
  if (state_ == nullptr) return;
  const auto loop = state_->loop;
  boost::asio::post(loop, [state = std::move(state_)] { state->pass_on(); });
}

}  // namespace heddle::commands

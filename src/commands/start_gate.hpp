// Lets programs be started one at a time, in the order in which they came: starting one takes the
// loop a millisecond or more, and between two of them everybody else on the loop has a turn. One
// event loop.
#pragma once

#include <deque>
#include <memory>
#include <utility>

#include "base/async.hpp"
#include "base/doorbell.hpp"

namespace heddle::commands {

class StartGate {
 public:
  // The right to start a program, until it goes. Must not outlive the gate.
  class Turn {
   public:
    explicit Turn(StartGate& gate) : gate_(&gate) {}
    Turn(Turn&& other) noexcept : gate_(std::exchange(other.gate_, nullptr)) {}
    Turn& operator=(Turn&&) = delete;
    ~Turn() { end(); }
    void end() {
      if (StartGate* gate = std::exchange(gate_, nullptr)) gate->pass_on();
    }

   private:
    StartGate* gate_;
  };

  Async<Turn> enter() {
    if (is_taken_) {
      const auto bell = std::make_shared<Doorbell>();
      waiting_.push_back(bell);
      co_await bell->wait();  // the turn is ours when it rings
    }
    is_taken_ = true;
    co_return Turn(*this);
  }

 private:
  void pass_on() {
    is_taken_ = !waiting_.empty();
    if (!is_taken_) return;
    const auto next = std::move(waiting_.front());
    waiting_.pop_front();
    next->ring();
  }

  bool is_taken_ = false;
  std::deque<std::shared_ptr<Doorbell>> waiting_;
};

}  // namespace heddle::commands

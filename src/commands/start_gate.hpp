// Lets programs be started one at a time, in the order in which they came: starting one takes the
// loop a millisecond or more, and between two of them everybody else on the loop has a turn. One
// event loop.
#pragma once

#include <memory>
#include <utility>

#include "base/async.hpp"

namespace heddle::commands {

class StartGate {
 public:
  StartGate();
  ~StartGate();
  StartGate(const StartGate&) = delete;
  StartGate& operator=(const StartGate&) = delete;

 private:
  struct State;

 public:
  // The right to start a program, until it goes. The next one has it when the loop has looked
  // around.
  class Turn {
   public:
    explicit Turn(std::shared_ptr<State> state) : state_(std::move(state)) {}
    Turn(Turn&& other) noexcept = default;
    Turn& operator=(Turn&&) = delete;
    ~Turn() { end(); }
    void end();

   private:
    std::shared_ptr<State> state_;  // nullptr: over
  };

  Async<Turn> enter();

 private:
  std::shared_ptr<State> state_;  // shared with those who wait
};

}  // namespace heddle::commands

// Questions and answers over a channel, many at a time and in any order, in both directions.
// Shares its channel. One event loop; may be destroyed while its coroutines wait: they end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "base/async.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "ipc/channel.hpp"
#include "ipc/frame.hpp"

namespace heddle::ipc {

// Set in the type of every answer on the wire: both sides number their questions themselves. Types
// given to and by a Caller are below it.
inline constexpr std::uint16_t kAnswerBit = 0x8000;

class Caller {
 public:
  // Gets every frame that is no answer: a question (to be answered with its number, now or later)
  // or a notice (number 0). A failure ends run() with it: the other side has broken the rules.
  using Handler = std::function<Status(Frame)>;

  explicit Caller(std::shared_ptr<Channel> channel);
  ~Caller();  // closes the channel
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;

  // Sends the question with a number of its own and waits for its answer, which needs run().
  // `timeout` after the deadline, `unavailable` when the channel ends; an answer that comes later
  // than its asker wanted is dropped.
  Async<Result<Frame>> ask(Frame question, std::optional<Deadline> deadline = std::nullopt);

  // Answers the question of that number, once; to number 0 nothing is sent. A wrong number makes
  // the other side end the channel.
  Async<Status> answer(std::uint32_t number, Frame answer);
  // The same without waiting for a short queue: for short answers. False: the channel is closed.
  bool post_answer(std::uint32_t number, Frame answer);

  // A frame that nobody answers.
  Async<Status> tell(Frame notice);
  bool post(Frame notice);

  // Receives until the channel ends, and says why: `unavailable` when it was closed, `corrupt` when
  // the other side broke the rules. Then the channel is closed and every asker has got
  // `unavailable`. Once per caller.
  Async<Status> run(Handler handler);
  // The same for a channel that somebody else reads, who gives what is not his.
  using Receive = std::function<Async<Result<Frame>>()>;
  Async<Status> run(Receive receive, Handler handler);

  void close();
  [[nodiscard]] bool is_open() const;
  [[nodiscard]] std::size_t waiting_bytes() const;  // of what goes out
  [[nodiscard]] std::size_t unanswered() const;     // questions, including those given up

 private:
  class State;
  std::shared_ptr<State> state_;  // shared with the operations under way
};

}  // namespace heddle::ipc

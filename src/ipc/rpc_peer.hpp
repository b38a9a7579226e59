// Sends requests over a channel and matches the replies, in both directions and in any order.
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

// Set in the type of every reply on the wire, because each side numbers its own requests. Types
// passed to and by an RpcPeer are below it.
inline constexpr std::uint16_t kReplyBit = 0x8000;

class RpcPeer {
 public:
  // Receives every frame that is not a reply: a request (reply with its number, now or later) or a
  // notification (number 0). An error ends run(): the other side violated the protocol.
  using Handler = std::function<Status(Frame)>;

  explicit RpcPeer(std::shared_ptr<Channel> channel);
  ~RpcPeer();  // closes the channel
  RpcPeer(const RpcPeer&) = delete;
  RpcPeer& operator=(const RpcPeer&) = delete;

  // Sends the request with a new number and waits for its reply, which needs run(). `timeout` after
  // the deadline, `unavailable` when the channel ends; a reply after the deadline is dropped.
  Async<Result<Frame>> call(Frame request, std::optional<Deadline> deadline = std::nullopt);

  // Replies to the request of that number, once and without backpressure; number 0 sends nothing. A
  // wrong number makes the other side close the channel. False: the channel is closed.
  bool post_reply(std::uint32_t number, Frame reply);

  // Sends a frame that gets no reply.
  Async<Status> notify(Frame notification);
  bool post(Frame notification);

  // Receives until the channel ends: `unavailable` when it was closed, `corrupt` when the other
  // side violated the protocol. Then the channel is closed and every pending call has failed with
  // `unavailable`. Once per peer.
  Async<Status> run(Handler handler);
  // The same for a channel that another object reads; `receive` returns the frames left for us.
  using Receive = std::function<Async<Result<Frame>>()>;
  Async<Status> run(Receive receive, Handler handler);

  void close();
  [[nodiscard]] bool is_open() const;
  [[nodiscard]] std::size_t pending_calls() const;  // including those that timed out

 private:
  class State;
  std::shared_ptr<State> state_;  // shared with pending operations
};

}  // namespace heddle::ipc

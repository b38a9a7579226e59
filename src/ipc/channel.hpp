// One end of a socket pair: frames go out in order and come in whole. One event loop, which must
// outlive the channel; the channel may be destroyed while others wait for it. Whoever is cancelled
// while waiting gets Asio's operation_aborted thrown; what was received so far is kept.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "base/async.hpp"
#include "base/file_descriptor.hpp"
#include "base/result.hpp"
#include "ipc/frame.hpp"

namespace heddle::ipc {

struct ChannelLimits {
  std::size_t max_frame = kMaxFrameBytes;     // of what we send
  std::size_t max_received = kMaxFrameBytes;  // a longer one from the other side is `corrupt`
  std::size_t max_waiting = 16UL << 20;  // bytes in our queue before send() makes its caller wait
};

class Channel {
 public:
  Channel(boost::asio::any_io_executor executor, FileDescriptor socket, ChannelLimits limits = {});
  ~Channel();  // closes
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  // In order; many small frames leave in one system call. Returns once the frame is in the queue
  // and the queue is short enough: a receiver that does not read makes its senders wait.
  // `unavailable` once the channel is closed by either side, `bad_input` for a too long frame.
  Async<Status> send(Frame frame);

  // Puts the frame into the queue however long it is: for short notices. False: closed. A frame
  // longer than max_frame() is a bug and throws.
  bool post(Frame frame);

  // Returns when nothing is left in the queue: the kernel has it all, and the other side will get
  // it even when we are gone by then. `unavailable` once the channel is closed.
  Async<Status> flushed();

  // The next frame. `unavailable` when the other side has closed, `corrupt` when what came is no
  // frame; after either no more come. One receiver at a time.
  Async<Result<Frame>> receive();

  // Everybody who waits gets `unavailable`. What is queued is dropped. May be called again.
  void close();

  [[nodiscard]] bool is_open() const;
  [[nodiscard]] std::size_t waiting_bytes() const;
  [[nodiscard]] std::size_t max_frame() const;  // of a body; send() refuses longer ones

 private:
  class State;
  std::shared_ptr<State> state_;  // shared with the operations under way
};

// Two connected sockets, close-on-exec.
Result<std::pair<FileDescriptor, FileDescriptor>> make_socket_pair();

}  // namespace heddle::ipc

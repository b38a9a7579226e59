// Sends and receives whole frames in order over one end of a socket pair. One event loop, which
// must outlive the channel; the channel may be destroyed while coroutines wait for it. A cancelled
// coroutine throws Asio's operation_aborted; bytes received so far are kept.
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
  std::size_t max_frame = kMaxFrameBytes;     // sent by us
  std::size_t max_received = kMaxFrameBytes;  // a longer received one is `corrupt`
  std::size_t max_waiting = 16UL << 20;       // queued bytes above which send() waits
};

class Channel {
 public:
  Channel(boost::asio::any_io_executor executor, FileDescriptor socket, ChannelLimits limits = {});
  ~Channel();  // closes
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  // Many small frames are sent in one system call. Returns once the frame is queued and the queue
  // is below max_waiting: a receiver that does not read blocks its senders. `unavailable` once the
  // channel is closed by either side, `bad_input` for a frame that is too long.
  Async<Status> send(Frame frame);

  // Queues the frame without backpressure: for short notifications. False: closed. A frame longer
  // than max_frame() is a bug and throws.
  bool post(Frame frame);

  // Returns when the queue is empty: the kernel has every byte and delivers it even if this process
  // exits. `unavailable` once the channel is closed.
  Async<Status> flushed();

  // Returns the next frame. `unavailable` when the other side has closed, `corrupt` when the bytes
  // are not a frame; both are final. One receiver at a time.
  Async<Result<Frame>> receive();

  // Pending operations fail with `unavailable`; queued frames are dropped. Idempotent.
  void close();

  [[nodiscard]] bool is_open() const;
  [[nodiscard]] std::size_t waiting_bytes() const;
  [[nodiscard]] std::size_t max_frame() const;  // of a body; send() refuses longer ones

 private:
  class State;
  std::shared_ptr<State> state_;  // shared with pending operations
};

// Two connected sockets, close-on-exec.
Result<std::pair<FileDescriptor, FileDescriptor>> make_socket_pair();

}  // namespace heddle::ipc

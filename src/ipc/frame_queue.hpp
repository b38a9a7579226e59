// Frames on their way out, as few pieces of memory: small frames are put together, a large body
// leaves from its own string. Does no I/O.
#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <string>

#include <sys/uio.h>

#include "ipc/frame.hpp"

namespace heddle::ipc {

class FrameQueue {
 public:
  // The body must not be longer than kMaxFrameBytes.
  void add(Frame frame);

  // Names the first pieces; returns how many were named. Valid until the queue changes.
  std::size_t gather(std::span<iovec> pieces) const;
  // So many of the bytes are sent.
  void drop(std::size_t sent);
  void clear();

  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  [[nodiscard]] bool empty() const { return bytes_ == 0; }

 private:
  struct Piece {
    std::string bytes;
    bool takes_more = false;  // it holds small frames and has room
  };

  std::string& shared_piece(std::size_t wanted);

  std::deque<Piece> pieces_;
  std::size_t sent_of_first_ = 0;
  std::size_t bytes_ = 0;
  std::string spare_;  // memory of a shared piece, to be used again
};

}  // namespace heddle::ipc

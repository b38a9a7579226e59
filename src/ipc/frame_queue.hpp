// FrameQueue holds outgoing frames in few pieces of memory: small frames share a buffer, a large
// body is sent from its own string. Does no I/O.
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

  // Fills in the first pieces and returns how many. Valid until the queue changes.
  std::size_t gather(std::span<iovec> pieces) const;
  // Removes bytes that were sent.
  void drop(std::size_t sent);
  void clear();

  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  [[nodiscard]] bool empty() const { return bytes_ == 0; }

 private:
  struct Piece {
    std::string bytes;
    bool is_shared = false;  // a shared buffer for small frames
  };

  std::string& shared_piece(std::size_t wanted);

  std::deque<Piece> pieces_;
  std::size_t sent_of_first_ = 0;
  std::size_t bytes_ = 0;
  std::string spare_;  // memory of a sent shared piece, reused
};

}  // namespace heddle::ipc

// The bytes of frames on their way: FrameQueue holds those to be sent, FrameReader turns received
// ones into frames. Neither does I/O.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <sys/uio.h>

#include "base/result.hpp"
#include "ipc/frame.hpp"

namespace heddle::ipc {

// FrameQueue holds outgoing frames in few pieces of memory: small frames share a buffer, a large
// body is sent from its own string.
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

// FrameReader turns received bytes into frames: prepare() returns buffers, commit() takes the
// number of bytes read into them. Memory grows with the bytes received, never with the length that
// a header claims.
class FrameReader {
 public:
  explicit FrameReader(std::size_t max_frame) : max_frame_(max_frame) {}

  // Buffers for the next bytes, in this order; the second may be empty. Valid until the next call.
  using Buffers = std::array<std::span<char>, 2>;
  Buffers prepare();

  // Accepts bytes read into the prepared buffers.
  void commit(std::size_t received);

  // Returns the next whole frame, nullopt when more bytes are needed, or `corrupt` when the bytes
  // are not a frame, which is final.
  Result<std::optional<Frame>> next();

  // A frame has been received in part.
  [[nodiscard]] bool is_inside_frame() const { return is_body_direct_ || begin_ != end_; }
  [[nodiscard]] std::size_t memory_bytes() const { return capacity_ + direct_.body.capacity(); }

 private:
  Buffers prepare_body();
  void make_space_in_buffer();
  void begin_body(const Frame& frame, std::size_t length);
  std::optional<Frame> finished_body();

  std::size_t max_frame_;

  // Bytes received and not yet returned: [begin_, end_).
  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool was_filled_ = false;  // the last read filled the buffer: a larger one saves calls

  // A large body is received into its own string while the buffer is empty.
  bool is_body_direct_ = false;
  Frame direct_;
  std::size_t body_length_ = 0;
  std::size_t body_received_ = 0;
};

}  // namespace heddle::ipc

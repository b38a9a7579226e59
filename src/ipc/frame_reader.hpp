// FrameReader turns received bytes into frames. Does no I/O: prepare() returns buffers, commit()
// takes the number of bytes read into them. Memory grows with the bytes received, never with the
// length that a header claims.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "base/result.hpp"
#include "ipc/frame.hpp"

namespace heddle::ipc {

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

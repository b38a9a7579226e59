// Turns received bytes into frames. Does no I/O: says where the next bytes may go and is told how
// many came. The memory it takes grows with what came, never with what a header claims.
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

  // Where the next bytes go, in this order; the second place may be empty. Valid until the next
  // call.
  using Room = std::array<std::span<char>, 2>;
  Room room();

  // So many bytes were put there.
  void add(std::size_t received);

  // The next whole frame, nullopt when more bytes are needed, `corrupt` when they are no frame:
  // then nothing more can be read.
  Result<std::optional<Frame>> next();

  // Some bytes of a frame are here and some are missing.
  [[nodiscard]] bool is_inside_frame() const { return is_body_direct_ || begin_ != end_; }
  [[nodiscard]] std::size_t memory_bytes() const { return capacity_ + direct_.body.capacity(); }

 private:
  Room room_of_body();
  void make_room_in_buffer();
  void begin_body(const Frame& frame, std::size_t length);
  std::optional<Frame> finished_body();

  std::size_t max_frame_;

  // Bytes received and not yet taken: [begin_, end_).
  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool was_filled_ = false;  // the last bytes took all the room: a bigger buffer saves calls

  // A large body is received into its own string while the buffer is empty.
  bool is_body_direct_ = false;
  Frame direct_;
  std::size_t body_length_ = 0;
  std::size_t body_received_ = 0;
};

}  // namespace heddle::ipc

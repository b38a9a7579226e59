#include "ipc/frame_queue.hpp"

#include <algorithm>
#include <utility>

#include "ipc/frame_wire.hpp"

namespace heddle::ipc {
namespace {

constexpr std::size_t kSharedPiece = 64UL << 10;
constexpr std::size_t kCopiedBody = 4UL << 10;  // up to here a copy is cheaper than a piece

}  // namespace

void FrameQueue::add(Frame frame) {
  const std::size_t length = frame.body.size();
  char header[kFrameHeaderBytes];
  write_header({frame.type, frame.number, static_cast<std::uint32_t>(length)}, header);
  bytes_ += kFrameHeaderBytes + length;
  const bool is_copied = length <= kCopiedBody;
  std::string& shared = shared_piece(kFrameHeaderBytes + (is_copied ? length : 0));
  shared.append(header, kFrameHeaderBytes);
  if (is_copied)
    shared += frame.body;
  else
    pieces_.push_back({std::move(frame.body), false});
}

std::string& FrameQueue::shared_piece(std::size_t wanted) {
  if (!pieces_.empty()) {
    Piece& last = pieces_.back();
    if (last.is_shared && last.bytes.size() + wanted <= kSharedPiece) return last.bytes;
  }
  pieces_.push_back({std::exchange(spare_, {}), true});
  return pieces_.back().bytes;
}

std::size_t FrameQueue::gather(std::span<iovec> pieces) const {
  const std::size_t count = std::min(pieces.size(), pieces_.size());
  std::size_t skipped = sent_of_first_;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string& bytes = pieces_[i].bytes;
    // iovec has no const; sendmsg does not write.
    pieces[i] = {const_cast<char*>(bytes.data()) + skipped, bytes.size() - skipped};
    skipped = 0;
  }
  return count;
}

void FrameQueue::drop(std::size_t sent) {
  bytes_ -= sent;
  sent_of_first_ += sent;
  while (!pieces_.empty() && sent_of_first_ >= pieces_.front().bytes.size()) {
    Piece& first = pieces_.front();
    sent_of_first_ -= first.bytes.size();
    if (first.is_shared && first.bytes.capacity() > spare_.capacity()) {
      spare_ = std::move(first.bytes);
      spare_.clear();
    }
    pieces_.pop_front();
  }
}

void FrameQueue::clear() {
  pieces_.clear();
  sent_of_first_ = 0;
  bytes_ = 0;
}

}  // namespace heddle::ipc

#include "ipc/frame_buffers.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace heddle::ipc {
namespace {

constexpr std::size_t kSharedPiece = 64UL << 10;
constexpr std::size_t kCopiedBody = 4UL << 10;  // up to here a copy is cheaper than a piece

constexpr std::size_t kInitialBufferBytes = 32UL << 10;
constexpr std::size_t kMaxBufferBytes = 256UL << 10;
// Frames up to this length are assembled in the buffer. Must fit into the first one.
constexpr std::size_t kMaxBufferedFrame = 8UL << 10;
static_assert(kMaxBufferedFrame <= kInitialBufferBytes);
// Reserved for a body before any byte of it arrives; then its memory doubles as it fills.
constexpr std::size_t kInitialBodyBytes = 1UL << 20;
// A string is zeroed as it grows: in pieces that are still cached when the bytes arrive.
constexpr std::size_t kBodyPiece = 128UL << 10;
// Read beyond a large body. Short, because it may be the start of another large one.
constexpr std::size_t kReadAhead = 4UL << 10;

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

FrameReader::Buffers FrameReader::prepare() {
  if (is_body_direct_) return prepare_body();
  make_space_in_buffer();
  return {std::span(buffer_.get() + end_, capacity_ - end_), std::span<char>()};
}

FrameReader::Buffers FrameReader::prepare_body() {
  std::string& body = direct_.body;
  if (body_received_ == body.capacity()) body.reserve(std::min(body_length_, 2 * body.capacity()));
  const std::size_t limit = std::min(body_length_, body.capacity());
  const std::size_t wanted = std::min(limit, body_received_ + kBodyPiece);
  if (body.size() < wanted) body.resize(wanted);
  Buffers places{std::span(body.data() + body_received_, body.size() - body_received_),
                 std::span<char>()};
  if (body.size() == body_length_) places[1] = std::span(buffer_.get(), kReadAhead);
  return places;
}

void FrameReader::make_space_in_buffer() {
  const bool should_grow = was_filled_ && capacity_ < kMaxBufferBytes;
  if (capacity_ == 0 || should_grow) {
    const std::size_t capacity = std::max(kInitialBufferBytes, 2 * capacity_);
    auto bigger = std::make_unique_for_overwrite<char[]>(capacity);
    if (end_ > begin_) std::memcpy(bigger.get(), buffer_.get() + begin_, end_ - begin_);
    buffer_ = std::move(bigger);
    capacity_ = capacity;
  } else if (begin_ > 0) {
    std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
  }
  end_ -= begin_;
  begin_ = 0;
  was_filled_ = false;
}

void FrameReader::commit(std::size_t received) {
  if (!is_body_direct_) {
    end_ += received;
    was_filled_ = end_ == capacity_;
    return;
  }
  const std::size_t of_body = std::min(received, body_length_ - body_received_);
  body_received_ += of_body;
  end_ = received - of_body;
}

Result<std::optional<Frame>> FrameReader::next() {
  if (is_body_direct_) return finished_body();
  const std::size_t available = end_ - begin_;
  if (available < kFrameHeaderBytes) return std::optional<Frame>();
  const char* start = buffer_.get() + begin_;
  const auto header = read_header(start);
  if (!header) return Error{ErrorCode::corrupt, "the received data is not a message"};
  if (header->length > max_frame_)
    return Error{ErrorCode::corrupt, "a message of " + std::to_string(header->length) +
                                         " bytes is too long, the limit is " +
                                         std::to_string(max_frame_)};
  const std::size_t total = kFrameHeaderBytes + header->length;
  Frame frame{header->type, header->number};
  if (available >= total) {
    frame.body.assign(start + kFrameHeaderBytes, header->length);
    begin_ += total;
    if (begin_ == end_) begin_ = end_ = 0;
    return std::optional<Frame>(std::move(frame));
  }
  if (total > kMaxBufferedFrame) begin_body(frame, header->length);
  return std::optional<Frame>();
}

void FrameReader::begin_body(const Frame& frame, std::size_t length) {
  is_body_direct_ = true;
  direct_ = frame;
  body_length_ = length;
  body_received_ = end_ - begin_ - kFrameHeaderBytes;
  direct_.body.reserve(std::max(body_received_, std::min(length, kInitialBodyBytes)));
  direct_.body.assign(buffer_.get() + begin_ + kFrameHeaderBytes, body_received_);
  begin_ = end_ = 0;
}

std::optional<Frame> FrameReader::finished_body() {
  if (body_received_ < body_length_) return std::nullopt;
  is_body_direct_ = false;
  return std::exchange(direct_, Frame());
}

}  // namespace heddle::ipc

#include "ipc/frame_buffers.hpp"

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace heddle::ipc {
namespace {

constexpr std::size_t kMegabyte = 1UL << 20;

std::string header(std::uint32_t length) {
  std::string bytes(kFrameHeaderBytes, '\0');
  write_header({1, 2, length}, bytes.data());
  return bytes;
}

// Passes at most `most` bytes to the reader; returns how many it accepted.
std::size_t feed(FrameReader& reader, std::string_view bytes, std::size_t most) {
  bytes = bytes.substr(0, most);
  std::size_t fed = 0;
  for (const auto buffer : reader.prepare()) {
    const std::size_t count = std::min(buffer.size(), bytes.size() - fed);
    if (count > 0) std::memcpy(buffer.data(), bytes.data() + fed, count);
    fed += count;
  }
  reader.commit(fed);
  return fed;
}

std::vector<Frame> read_all(FrameReader& reader) {
  std::vector<Frame> frames;
  for (;;) {
    auto frame = reader.next();
    EXPECT_TRUE(frame);
    if (!frame || !*frame) return frames;
    frames.push_back(std::move(**frame));
  }
}

std::string all_bytes(FrameQueue& queue, std::mt19937_64& random) {
  std::string bytes;
  while (!queue.empty()) {
    std::vector<iovec> pieces(1 + random() % 5);
    pieces.resize(queue.gather(pieces));
    std::string gathered;
    for (const iovec& piece : pieces)
      gathered.append(static_cast<const char*>(piece.iov_base), piece.iov_len);
    const std::size_t sent = 1 + random() % gathered.size();
    bytes.append(gathered, 0, sent);
    queue.drop(sent);
  }
  return bytes;
}

TEST(FrameReader, ReadsTheOutputOfAFrameQueueInPiecesOfAnySize) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    std::mt19937_64 random(seed);
    std::vector<Frame> frames(1 + random() % 40);
    FrameQueue queue;
    for (Frame& frame : frames) {
      frame.type = static_cast<std::uint16_t>(random());
      frame.number = static_cast<std::uint32_t>(random());
      frame.body.resize((random() >> (random() % 64)) % 300'000);
      for (char& byte : frame.body) byte = static_cast<char>(random());
      queue.add(frame);
    }
    const std::size_t total = queue.bytes();
    const std::string bytes = all_bytes(queue, random);
    ASSERT_EQ(bytes.size(), total);
    FrameReader reader(kMaxFrameBytes);
    std::vector<Frame> read;
    for (std::size_t fed = 0; fed < bytes.size();) {
      fed += feed(reader, std::string_view(bytes).substr(fed), 1 + random() % 100'000);
      for (Frame& frame : read_all(reader)) read.push_back(std::move(frame));
    }
    EXPECT_FALSE(reader.is_inside_frame());
    ASSERT_EQ(read.size(), frames.size());
    for (std::size_t i = 0; i < frames.size(); ++i) {
      EXPECT_EQ(read[i].type, frames[i].type);
      EXPECT_EQ(read[i].number, frames[i].number);
      EXPECT_TRUE(read[i].body == frames[i].body);
    }
  }
}

TEST(FrameReader, AllocatesNoMemoryForBytesNotReceived) {
  FrameReader reader(kMaxFrameBytes);
  feed(reader, header(kMaxFrameBytes) + "the first", 100);
  EXPECT_TRUE(read_all(reader).empty());
  reader.prepare();
  EXPECT_LT(reader.memory_bytes(), 2 * kMegabyte);
  const std::string piece(100'000, 'x');
  for (std::size_t fed = 0; fed < 40 * kMegabyte;) {
    fed += feed(reader, piece, piece.size());
    EXPECT_TRUE(read_all(reader).empty());
    reader.prepare();
    ASSERT_LT(reader.memory_bytes(), 2 * fed + 2 * kMegabyte);
  }
}

TEST(FrameReader, ReleasesTheMemoryOfAReturnedBody) {
  FrameReader reader(kMaxFrameBytes);
  const std::string bytes = header(kMegabyte) + std::string(kMegabyte, 'x');
  std::size_t read = 0;
  for (std::size_t fed = 0; fed < bytes.size();) {
    fed += feed(reader, std::string_view(bytes).substr(fed), kMegabyte);
    read += read_all(reader).size();
  }
  EXPECT_EQ(read, 1U);
  EXPECT_LE(reader.memory_bytes(), 512UL << 10);
}

TEST(FrameReader, AcceptsFramesUpToTheLimit) {
  FrameReader enough(1000);
  feed(enough, header(1000) + std::string(1000, 'x'), 2000);
  EXPECT_EQ(read_all(enough).size(), 1U);
  FrameReader too_little(999);
  feed(too_little, header(1000), 2000);
  EXPECT_EQ(too_little.next().error().code, ErrorCode::corrupt);
  EXPECT_EQ(too_little.next().error().code, ErrorCode::corrupt);
}

TEST(FrameReader, RejectsHeadersWithAWrongFixedByte) {
  const std::string good = header(0);
  for (const std::size_t buffer : {0, 1, 2, 3, 6, 7}) {
    std::string bad = good;
    bad[buffer] ^= 1;
    FrameReader reader(1000);
    feed(reader, bad, bad.size());
    EXPECT_FALSE(reader.next()) << buffer;
  }
}

}  // namespace
}  // namespace heddle::ipc

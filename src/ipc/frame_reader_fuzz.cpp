// First byte: how the rest is split. The frames read must match their bytes, and the memory used
// must be proportional to the bytes received.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string_view>

#include "ipc/frame_buffers.hpp"

namespace {

using heddle::ipc::FrameReader;

constexpr std::size_t kMaxBody = 64UL << 20;

void require(bool condition) {
  if (!condition) std::abort();
}

std::size_t feed(FrameReader& reader, std::string_view bytes) {
  std::size_t fed = 0;
  for (const auto buffer : reader.prepare()) {
    const std::size_t count = std::min(buffer.size(), bytes.size() - fed);
    if (count > 0) std::memcpy(buffer.data(), bytes.data() + fed, count);
    fed += count;
  }
  reader.commit(fed);
  return fed;
}

// Reads the complete frames; each must be the prefix of `expected`.
bool read_frames(FrameReader& reader, std::string_view& expected) {
  for (;;) {
    const auto frame = reader.next();
    if (!frame) return false;
    if (!*frame) return true;
    char header[heddle::ipc::kFrameHeaderBytes];
    const auto length = static_cast<std::uint32_t>((*frame)->body.size());
    heddle::ipc::write_header({(*frame)->type, (*frame)->number, length}, header);
    require(expected.starts_with(std::string_view(header, sizeof header)));
    expected.remove_prefix(sizeof header);
    require(expected.starts_with((*frame)->body));
    expected.remove_prefix((*frame)->body.size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::minstd_rand random(data[0]);
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  std::string_view expected = bytes;
  FrameReader reader(kMaxBody);
  for (std::size_t fed = 0; fed < bytes.size();) {
    const std::size_t piece = 1 + random() % (data[0] % 2 == 0 ? 40 : 40'000);
    fed += feed(reader, bytes.substr(fed, piece));
    const bool is_ok = read_frames(reader, expected);
    require(reader.memory_bytes() <= 2 * fed + (2UL << 20));
    if (!is_ok) {
      require(!reader.next());  // the error is final
      break;
    }
  }
  return 0;
}

// First byte: how the rest comes in pieces. The frames read must be what their bytes say, and the
// memory taken must be in proportion to what came.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string_view>

#include "ipc/frame_reader.hpp"
#include "ipc/frame_wire.hpp"

namespace {

using heddle::ipc::FrameReader;

constexpr std::size_t kMaxBody = 64UL << 20;

void require(bool condition) {
  if (!condition) std::abort();
}

std::size_t give(FrameReader& reader, std::string_view bytes) {
  std::size_t given = 0;
  for (const auto place : reader.room()) {
    const std::size_t count = std::min(place.size(), bytes.size() - given);
    if (count > 0) std::memcpy(place.data(), bytes.data() + given, count);
    given += count;
  }
  reader.add(given);
  return given;
}

// Takes the frames that are whole, each of which must stand at the start of `expected`.
bool take_frames(FrameReader& reader, std::string_view& expected) {
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
  for (std::size_t given = 0; given < bytes.size();) {
    const std::size_t piece = 1 + random() % (data[0] % 2 == 0 ? 40 : 40'000);
    given += give(reader, bytes.substr(given, piece));
    const bool is_fine = take_frames(reader, expected);
    require(reader.memory_bytes() <= 2 * given + (2UL << 20));
    if (!is_fine) {
      require(!reader.next());  // and stays so
      break;
    }
  }
  return 0;
}

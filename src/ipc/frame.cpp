#include "ipc/frame.hpp"

#include <bit>
#include <cstring>
#include <type_traits>

namespace heddle::ipc {
namespace {

static_assert(std::endian::native == std::endian::little);

struct WireHeader {
  char magic[4];
  std::uint16_t type;
  std::uint16_t zero;
  std::uint32_t number;
  std::uint32_t length;
};
static_assert(sizeof(WireHeader) == kFrameHeaderBytes);
static_assert(std::has_unique_object_representations_v<WireHeader>);

constexpr char kMagic[4] = {'H', 'D', 'L', '1'};

}  // namespace

void write_header(const FrameHeader& header, char* sixteen) {
  WireHeader wire{{}, header.type, 0, header.number, header.length};
  std::memcpy(wire.magic, kMagic, sizeof kMagic);
  std::memcpy(sixteen, &wire, sizeof wire);
}

std::optional<FrameHeader> read_header(const char* sixteen) {
  WireHeader wire{};
  std::memcpy(&wire, sixteen, sizeof wire);
  if (std::memcmp(wire.magic, kMagic, sizeof kMagic) != 0 || wire.zero != 0) return std::nullopt;
  return FrameHeader{wire.type, wire.number, wire.length};
}

}  // namespace heddle::ipc

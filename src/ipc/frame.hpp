// Frame is the unit sent between two processes of one machine. On the wire: a header of 16 bytes,
// then the body.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace heddle::ipc {

struct Frame {
  std::uint16_t type = 0;
  std::uint32_t number = 0;  // a reply has the number of its request; 0: no reply expected
  std::string body{};
};

inline constexpr std::size_t kFrameHeaderBytes = 16;
inline constexpr std::size_t kMaxFrameBytes = 256UL << 20;

// On the wire: magic "HDL1", type (2 bytes), zero (2), number (4), length (4), little-endian.
struct FrameHeader {
  std::uint16_t type = 0;
  std::uint32_t number = 0;
  std::uint32_t length = 0;  // of the body
};

void write_header(const FrameHeader& header, char* sixteen);

// nullopt: these bytes do not begin a frame.
std::optional<FrameHeader> read_header(const char* sixteen);

}  // namespace heddle::ipc

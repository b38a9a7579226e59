// Reads and writes the 16-byte frame header: magic "HDL1", type (2 bytes), zero (2), number (4),
// length (4), little-endian.
#pragma once

#include <cstdint>
#include <optional>

#include "ipc/frame.hpp"

namespace heddle::ipc {

struct FrameHeader {
  std::uint16_t type = 0;
  std::uint32_t number = 0;
  std::uint32_t length = 0;  // of the body
};

void write_header(const FrameHeader& header, char* sixteen);

// nullopt: these bytes do not begin a frame.
std::optional<FrameHeader> read_header(const char* sixteen);

}  // namespace heddle::ipc

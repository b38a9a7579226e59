// Frame is the unit sent between two processes of one machine. On the wire: a header of 16 bytes
// (magic, type, correlation number, length), then the body.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle::ipc {

struct Frame {
  std::uint16_t type = 0;
  std::uint32_t number = 0;  // a reply has the number of its request; 0: no reply expected
  std::string body{};
};

inline constexpr std::size_t kFrameHeaderBytes = 16;
inline constexpr std::size_t kMaxFrameBytes = 256UL << 20;

}  // namespace heddle::ipc

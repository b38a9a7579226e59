// What travels between two processes of one machine: a type, a number and bytes. On the wire a
// header of 16 bytes (magic, type, correlation number, length), then the body.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle::ipc {

struct Frame {
  std::uint16_t type = 0;
  std::uint32_t number = 0;  // answers carry the number of their question; 0: nobody waits
  std::string body{};
};

inline constexpr std::size_t kFrameHeaderBytes = 16;
inline constexpr std::size_t kMaxFrameBytes = 256UL << 20;

}  // namespace heddle::ipc

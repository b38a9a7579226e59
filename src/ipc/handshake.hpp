// The first message each way: detects two sides with different protocols or builds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/async.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "ipc/channel.hpp"
#include "ipc/frame.hpp"

namespace heddle::ipc {

// Increased whenever the encoding or meaning of a message changes.
inline constexpr std::uint32_t kProtocolVersion = 2;

// The frame type of a handshake in all versions; no other frame may use it.
inline constexpr std::uint16_t kHandshakeType = 0x7FFF;

struct Handshake {
  std::uint32_t version = kProtocolVersion;
  std::string build{};  // version of the program
  std::int64_t pid = 0;
  std::string role{};  // "worker", "daemon", "command": for messages
};

// With the pid of this process. Role and build are short and printable.
Handshake make_handshake(std::string role, std::string build);

// In every protocol version a handshake starts with the version number and the role.
std::string packed_handshake(const Handshake& handshake);
// From another protocol version only version and role are filled.
Result<Handshake> unpacked_handshake(std::string_view bytes);

// `conflict` when protocol or build differ.
Status check_handshake(const Handshake& theirs, const Handshake& ours);

// Sends our handshake and waits for the other side's; must come first on a channel, on both sides.
// `timeout` after the deadline, `corrupt` when another frame comes first.
Async<Result<Handshake>> exchange_handshake(Channel& channel, Handshake ours, Deadline deadline);

}  // namespace heddle::ipc

// The first message each way: two sides that would not understand each other say so clearly.
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

// Grows whenever a message's bytes or meaning change.
inline constexpr std::uint32_t kProtocolVersion = 2;

// The type of a hello in all versions; no other frame may use it.
inline constexpr std::uint16_t kHelloType = 0x7FFF;

struct Hello {
  std::uint32_t version = kProtocolVersion;
  std::string build{};  // of the program
  std::int64_t pid = 0;
  std::string role{};  // "worker", "coordinator": for messages
};

// Ours, as it is now. Role and build are short and printable.
Hello make_hello(std::string role, std::string build);

// Every version, past or future, starts a hello with its version number and the role.
std::string packed_hello(const Hello& hello);
// With another version than ours, only version and role are filled.
Result<Hello> unpacked_hello(std::string_view bytes);

// `conflict` when the two sides must not go on: another protocol or another build.
Status check_hello(const Hello& theirs, const Hello& ours);

// Says hello and waits for the other side's: the first thing on a channel, on both sides. `timeout`
// after the deadline, `corrupt` when something else comes first.
Async<Result<Hello>> exchange_hello(Channel& channel, Hello ours, Deadline deadline);

}  // namespace heddle::ipc

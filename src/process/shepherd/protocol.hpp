// Defines the packets between a shepherd and its owner: fixed size, over a SOCK_SEQPACKET socket,
// in the machine's own layout. Both are installed together; the version detects a running daemon
// whose installation was replaced. When the owner's end closes, the shepherd kills the tree.
//
// usage: heddle-shepherd VERSION CONTROL_DESCRIPTOR CLAIM_DESCRIPTOR LEFTOVER_GRACE_MS PROGRAM
//        [ARGUMENT…]
// The claim (process/tree/start_claim.hpp) is -1 when there is none.
#pragma once

#include <cstdint>
#include <type_traits>

namespace heddle::process::shepherd {

inline constexpr std::uint32_t kVersion = 2;

enum class ShepherdReportKind : std::uint32_t { started = 1, not_started = 2, ended = 3 };

struct ShepherdReport {
  std::uint32_t version = kVersion;
  ShepherdReportKind kind = ShepherdReportKind::started;
  std::int32_t pid = 0;
  std::int32_t wait_status = 0;  // ended: as wait4() gives it
  std::int32_t failed_step = 0;  // not_started: a StartStep
  std::int32_t error = 0;        // not_started: errno
  std::int64_t user_microseconds = 0;
  std::int64_t system_microseconds = 0;
  std::int64_t peak_memory_kilobytes = 0;
};
static_assert(sizeof(ShepherdReport) == 48 && std::is_trivially_copyable_v<ShepherdReport>);

enum class ShepherdCommandKind : std::uint32_t { signal_tree = 1, kill_tree = 2 };

struct ShepherdCommand {
  std::uint32_t version = kVersion;
  ShepherdCommandKind kind = ShepherdCommandKind::kill_tree;
  std::int32_t signal = 0;
  std::uint32_t unused = 0;
};
static_assert(sizeof(ShepherdCommand) == 16 && std::is_trivially_copyable_v<ShepherdCommand>);

}  // namespace heddle::process::shepherd

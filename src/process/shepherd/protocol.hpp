// What a shepherd and its owner say to each other: one fixed packet each over a SOCK_SEQPACKET
// socket, in the machine's own layout. Both are installed together; the version catches a running
// daemon whose installation was replaced. Closing the owner's end means: kill everything.
//
// usage: heddle-shepherd VERSION CONTROL_DESCRIPTOR LEFTOVER_GRACE_MS PROGRAM [ARGUMENT…]
#pragma once

#include <cstdint>
#include <type_traits>

namespace heddle::process::shepherd {

inline constexpr std::uint32_t kVersion = 1;

enum class ReportKind : std::uint32_t { started = 1, not_started = 2, ended = 3 };

struct Report {
  std::uint32_t version = kVersion;
  ReportKind kind = ReportKind::started;
  std::int32_t pid = 0;
  std::int32_t wait_status = 0;  // ended: as wait4() gives it
  std::int32_t failed_step = 0;  // not_started: a StartStep
  std::int32_t error = 0;        // not_started: errno
  std::int64_t user_microseconds = 0;
  std::int64_t system_microseconds = 0;
  std::int64_t peak_memory_kilobytes = 0;
};
static_assert(sizeof(Report) == 48 && std::is_trivially_copyable_v<Report>);

enum class OrderKind : std::uint32_t { signal_tree = 1, kill_tree = 2 };

struct Order {
  std::uint32_t version = kVersion;
  OrderKind kind = OrderKind::kill_tree;
  std::int32_t signal = 0;
  std::uint32_t unused = 0;
};
static_assert(sizeof(Order) == 16 && std::is_trivially_copyable_v<Order>);

}  // namespace heddle::process::shepherd

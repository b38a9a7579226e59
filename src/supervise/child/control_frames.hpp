// Defines the control frames between a supervisor and its children: types 1 to 15.
// All other types belong to the supervisor's owner.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "ipc/frame.hpp"
#include "supervise/slot_event.hpp"

namespace heddle::supervise {

enum class ControlFrameType : std::uint16_t {
  hello = 1,     // from the child, the first frame
  ready = 2,     // from the child, empty
  draining = 3,  // from the child, empty: it accepts no more work and will exit
  drain = 8,
  assignment = 9,  // to a spare: its slot
};

inline constexpr std::uint16_t kFirstOwnerType = 16;
inline constexpr std::uint64_t kControlVersion = 1;

// How a child is requested to stop.
enum class StopMethod : std::uint8_t {
  signal = 0,   // SIGTERM
  request = 1,  // a drain frame and a flag in its page
};

struct ChildHello {
  std::uint64_t version = kControlVersion;
  StopMethod stop_method = StopMethod::signal;
};

struct ChildAssignment {
  SlotRef slot{};
  std::string name{};
  int number = 0;
};

ipc::Frame make_control(ControlFrameType type);  // with an empty body
ipc::Frame make_frame(const ChildHello& hello);
ipc::Frame make_frame(const ChildAssignment& assignment);

// `corrupt`: malformed; `conflict`: another version.
Result<ChildHello> read_hello(const ipc::Frame& frame);
Result<ChildAssignment> read_assignment(const ipc::Frame& frame);

}  // namespace heddle::supervise

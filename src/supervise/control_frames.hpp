// The frames a supervisor and its children exchange about themselves: types 1 to 15.
// All other types belong to the supervisor's owner.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "ipc/frame.hpp"
#include "supervise/process_event.hpp"

namespace heddle::supervise {

enum class Control : std::uint16_t {
  hello = 1,     // from the child, first of all
  ready = 2,     // from the child, empty
  draining = 3,  // from the child, empty: it takes no more work and will leave
  please_drain = 8,
  assignment = 9,  // to a spare: it has a slot now
};

inline constexpr std::uint16_t kFirstOwnType = 16;
inline constexpr std::uint64_t kControlVersion = 1;

// How a child wants to hear that it should leave.
enum class StopBy : std::uint8_t {
  signal = 0,  // SIGTERM
  asking = 1,  // it reads its channel, or looks at its page
};

struct Hello {
  std::uint64_t version = kControlVersion;
  StopBy stop_by = StopBy::signal;
};

struct Assignment {
  SlotRef slot{};
  std::string name{};
  int number = 0;
};

ipc::Frame make_control(Control type);  // with an empty body
ipc::Frame make_frame(const Hello& hello);
ipc::Frame make_frame(const Assignment& assignment);

// `corrupt` for bytes that are none; another version is `conflict`.
Result<Hello> read_hello(const ipc::Frame& frame);
Result<Assignment> read_assignment(const ipc::Frame& frame);

}  // namespace heddle::supervise

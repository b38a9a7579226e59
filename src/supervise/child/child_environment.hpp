// Defines the environment variables that give a child its link and its assignment.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "supervise/child/control_frames.hpp"

namespace heddle::supervise {

inline constexpr int kChannelDescriptor = 3;
inline constexpr int kPageDescriptor = 4;

inline constexpr const char* kChannelName = "HEDDLE_CHANNEL";
inline constexpr const char* kPageName = "HEDDLE_PAGE";
inline constexpr const char* kSlotName = "HEDDLE_SLOT";
inline constexpr const char* kOccurrenceName = "HEDDLE_STARTS";
inline constexpr const char* kSlotTitleName = "HEDDLE_SLOT_NAME";
inline constexpr const char* kSlotNumberName = "HEDDLE_SLOT_NUMBER";
inline constexpr const char* kHeartbeatName = "HEDDLE_HEARTBEAT_MS";
inline constexpr const char* kSpareName = "HEDDLE_SPARE";

struct LinkEnvironment {
  ChildAssignment assignment{};  // not passed to a spare
  bool is_spare = false;
  std::chrono::milliseconds heartbeat{1000};
};

// Returns the given variables with those of the link replaced.
std::vector<std::string> with_link(const std::vector<std::string>& environment,
                                   const LinkEnvironment& link);

}  // namespace heddle::supervise

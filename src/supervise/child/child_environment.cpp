#include "supervise/child/child_environment.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace heddle::supervise {

namespace {

constexpr std::array kNames = {kChannelName,   kPageName,       kSlotName,      kOccurrenceName,
                               kSlotTitleName, kSlotNumberName, kHeartbeatName, kSpareName};

// This process may be supervised itself: its children must not inherit its link.
bool is_ours(std::string_view variable) {
  const std::string_view name = variable.substr(0, variable.find('='));
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

}  // namespace

std::vector<std::string> with_link(const std::vector<std::string>& environment,
                                   const LinkEnvironment& link) {
  std::vector<std::string> all;
  std::copy_if(environment.begin(), environment.end(), std::back_inserter(all),
               [](const std::string& variable) { return !is_ours(variable); });
  const auto add = [&all](const char* name, const std::string& value) {
    all.push_back(std::string(name) + "=" + value);
  };
  add(kChannelName, std::to_string(kChannelDescriptor));
  add(kPageName, std::to_string(kPageDescriptor));
  add(kHeartbeatName, std::to_string(link.heartbeat.count()));
  if (link.is_spare) {
    add(kSpareName, "1");
    return all;
  }
  add(kSlotName, std::to_string(link.assignment.slot.slot));
  add(kOccurrenceName, std::to_string(link.assignment.slot.occurrence));
  add(kSlotTitleName, link.assignment.name);
  add(kSlotNumberName, std::to_string(link.assignment.number));
  return all;
}

}  // namespace heddle::supervise

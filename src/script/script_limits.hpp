// Limits of one job's script.
#pragma once

#include <chrono>
#include <cstddef>

namespace heddle::script {

struct ScriptLimits {
  std::chrono::milliseconds cpu = std::chrono::seconds(5);   // running time of one hook
  std::chrono::milliseconds wall = std::chrono::minutes(5);  // of one hook, waiting included
  std::size_t memory = 256'000'000;                          // bytes of the VM
  std::chrono::milliseconds slice{5};  // computing time after which other jobs get a turn
};

}  // namespace heddle::script

// Limits of one JSON text that a script reads or writes.
#pragma once

#include <cstddef>

namespace heddle::script {

inline constexpr std::size_t kMaxJsonBytes = std::size_t{10} * 1024 * 1024;
inline constexpr int kMaxJsonLevels = 200;

}  // namespace heddle::script

#include "store/sqlite/retention/batch_pacer.hpp"

#include <algorithm>

namespace heddle::store {

namespace {

// Half of the limit: the next batch may cost more than this one.
constexpr std::chrono::microseconds kAim = BatchPacer::kLongestHold / 2;
constexpr std::chrono::microseconds kLeast{300};
constexpr std::chrono::microseconds kMost{3000};  // a busy machine may stretch it several times

}  // namespace

// Decreases fast, increases slowly.
void BatchPacer::record(std::chrono::microseconds held, std::chrono::microseconds cpu) {
  budget_ = held > kAim ? budget_ / 2 : budget_ * 5 / 4;
  budget_ = std::clamp(budget_, kLeast, kMost);
  ++batches_;
  longest_ = std::max<std::int64_t>(longest_, held.count());
  longest_cpu_ = std::max<std::int64_t>(longest_cpu_, cpu.count());
}

}  // namespace heddle::store

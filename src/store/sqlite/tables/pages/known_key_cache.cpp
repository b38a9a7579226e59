#include "store/sqlite/tables/pages/known_key_cache.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>

namespace heddle::store {

namespace {

// XORs keys with a mask per job: keys of one job never collide, and equal keys of two jobs differ
// as long as the masks differ.
class Mixer {
 public:
  explicit Mixer(const JobId& job) : mask_(hash128(job.text)) {}
  Hash128 operator()(const Hash128& key) const {
    return {key.high ^ mask_.high, key.low ^ mask_.low};
  }

 private:
  Hash128 mask_;
};

constexpr Hash128 kEmpty{};  // a key that mixes to this is never cached

}  // namespace

KnownKeyCache::KnownKeyCache(std::size_t bytes) : set_count_(std::bit_floor(bytes / sizeof(Set))) {
  if (set_count_ == 0) return;
  auto* memory = static_cast<Set*>(std::calloc(set_count_, sizeof(Set)));
  if (memory == nullptr) throw std::bad_alloc();
  sets_.reset(memory);
}

KnownKeyCache::Set& KnownKeyCache::set_of(const Hash128& mixed) const {
  // Folded, so that keys that differ in one half only still spread.
  const std::uint64_t folded = (mixed.high ^ mixed.low) * 0x9E3779B97F4A7C15u;
  return sets_[set_count_ == 1 ? 0 : folded >> (64 - std::countr_zero(set_count_))];
}

void KnownKeyCache::add(const JobId& job, std::span<const Hash128> keys) {
  if (set_count_ == 0) return;
  const Mixer mix(job);
  const std::lock_guard lock(mutex_);
  for (const Hash128& key : keys) {
    const Hash128 mixed = mix(key);
    auto& ways = set_of(mixed).keys;
    if (std::find(std::begin(ways), std::end(ways), mixed) != std::end(ways)) continue;
    auto* slot = std::find(std::begin(ways), std::end(ways), kEmpty);
    if (slot == std::end(ways)) slot = &ways[next_victim_++ % kWays];
    *slot = mixed;
  }
}

std::size_t KnownKeyCache::find(const JobId& job, std::span<const Hash128> keys,
                                std::vector<bool>& found) const {
  found.assign(keys.size(), false);
  if (set_count_ == 0) return 0;
  const Mixer mix(job);
  std::size_t hits = 0;
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Hash128 mixed = mix(keys[i]);
    if (mixed == kEmpty) continue;
    const auto& ways = set_of(mixed).keys;
    if (std::find(std::begin(ways), std::end(ways), mixed) == std::end(ways)) continue;
    found[i] = true;
    ++hits;
  }
  return hits;
}

void KnownKeyCache::forget(const JobId& job, std::span<const Hash128> keys) {
  if (set_count_ == 0) return;
  const Mixer mix(job);
  const std::lock_guard lock(mutex_);
  for (const Hash128& key : keys) {
    const Hash128 mixed = mix(key);
    auto& ways = set_of(mixed).keys;
    std::replace(std::begin(ways), std::end(ways), mixed, kEmpty);
  }
}

void KnownKeyCache::forget_all() {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < set_count_; ++i) sets_[i] = Set{};
}

}  // namespace heddle::store

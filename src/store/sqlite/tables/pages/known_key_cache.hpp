// Caches stored item keys in a fixed amount of memory, so that most lookups never reach the
// database. A hit is certain; a miss proves nothing. Thread-safe.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "base/free_with.hpp"
#include "base/hash.hpp"
#include "base/ids.hpp"

namespace heddle::store {

class KnownKeyCache {
 public:
  // Rounded down to a power of two; 0 caches nothing.
  explicit KnownKeyCache(std::size_t bytes);

  // Only after the commit that stored them: a hit must survive a power cut.
  void add(const JobId& job, std::span<const Hash128> keys);

  // Sets one flag per key; returns how many were found.
  std::size_t find(const JobId& job, std::span<const Hash128> keys, std::vector<bool>& found) const;

  void forget(const JobId& job, std::span<const Hash128> keys);
  void forget_all();

  [[nodiscard]] std::size_t capacity() const { return set_count_ * kWays; }

 private:
  static constexpr std::size_t kWays = 4;  // 64 bytes: one cache line per lookup

  struct Set {
    Hash128 keys[kWays];
  };

  [[nodiscard]] Set& set_of(const Hash128& mixed) const;

  mutable std::mutex mutex_;
  std::size_t set_count_ = 0;
  // From calloc: the kernel provides memory only when it is used.
  std::unique_ptr<Set[], FreeWith<std::free>> sets_;
  std::size_t next_victim_ = 0;
};

}  // namespace heddle::store

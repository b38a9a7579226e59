// Reservations holds the item keys that cycles of a job are about to store, so that two concurrent
// pages with the same new item report it once. One event loop.
#pragma once

#include <unordered_set>
#include <utility>
#include <vector>

#include "base/hash.hpp"

namespace heddle::pipeline {

class Reservations {
 public:
  // The keys of one cycle; released when destroyed, after they are stored or the page has failed.
  class Claim {
   public:
    explicit Claim(Reservations& owner) : owner_(&owner) {}
    ~Claim() {
      for (const Hash128& key : keys_) owner_->held_.erase(key);
    }
    Claim(const Claim&) = delete;
    Claim& operator=(const Claim&) = delete;

    // False when another cycle holds the key.
    bool add(const Hash128& key) {
      if (!owner_->held_.insert(key).second) return false;
      keys_.push_back(key);
      return true;
    }

   private:
    Reservations* owner_;
    std::vector<Hash128> keys_;
  };

 private:
  std::unordered_set<Hash128> held_;
};

}  // namespace heddle::pipeline

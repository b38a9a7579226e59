// Removes versions of pages, and their contents when no other version references them. Writer
// thread only.
#pragma once

#include <cstdint>
#include <vector>

#include "base/hash.hpp"
#include "base/result.hpp"
#include "store/sqlite/core/statement.hpp"

namespace heddle::store {

class VersionRemover {
 public:
  explicit VersionRemover(Connection& db);

  // Neither the first nor the newest version of its page.
  Result<bool> is_between_others(std::int64_t version, std::int64_t page);
  // Returns an estimate of the freed bytes.
  Result<std::int64_t> remove(std::int64_t version, std::int64_t content);
  // Removes one version of the page; false when none is left.
  Result<bool> remove_one_of(std::int64_t page);

  // Returns the contents removed since the last call: caches must drop them.
  std::vector<Hash128> take_gone() { return std::exchange(gone_, {}); }
  // Call when the removals are rolled back or repeated.
  void forget() { gone_.clear(); }

 private:
  Statement has_neighbours_;
  Statement any_of_page_;
  Statement delete_version_;
  Statement find_unused_;
  Statement delete_content_;
  std::vector<Hash128> gone_;
};

}  // namespace heddle::store

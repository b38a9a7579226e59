// Takes versions of pages away, and their contents when no other version shows them. Writer thread
// only.
#pragma once

#include <cstdint>
#include <vector>

#include "base/hash.hpp"
#include "base/result.hpp"
#include "store/sqlite/statement.hpp"

namespace heddle::store {

class VersionRemover {
 public:
  explicit VersionRemover(Connection& db);

  // Neither the first nor the newest one of its page.
  Result<bool> is_between_others(std::int64_t version, std::int64_t page);
  // About how many bytes that frees.
  Result<std::int64_t> remove(std::int64_t version, std::int64_t content);
  // A version of the page: false when there is none left.
  Result<bool> remove_one_of(std::int64_t page);

  // Contents that are gone, since the last call: whoever knows them must forget them.
  std::vector<Hash128> take_gone() { return std::exchange(gone_, {}); }
  // What they said is undone.
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

// Gives pages that nothing uses any more back to the disk, a few at a time. Writer thread only.
#pragma once

#include <cstdint>

#include "base/result.hpp"
#include "store/sqlite/piece_pacer.hpp"
#include "store/sqlite/statement.hpp"

namespace heddle::store {

class SpaceGiver {
 public:
  explicit SpaceGiver(Connection& db);

  // False: nothing is left to give back, or the file cannot (one that was not made for it reuses
  // its free pages, but never shrinks).
  Result<bool> give(const PieceTime& time);

 private:
  static Result<std::int64_t> number_from(Statement& statement);

  Statement kind_;
  Statement count_free_;
  Statement give_some_;
};

}  // namespace heddle::store

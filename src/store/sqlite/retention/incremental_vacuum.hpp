// Returns unused pages to the file system, a few at a time. Writer thread only.
#pragma once

#include <cstdint>

#include "base/result.hpp"
#include "store/sqlite/core/statement.hpp"
#include "store/sqlite/retention/batch_pacer.hpp"

namespace heddle::store {

class IncrementalVacuum {
 public:
  explicit IncrementalVacuum(Connection& db);

  // Returns false when nothing is left to release, or when the file was not created for it (such a
  // file reuses its free pages but never shrinks).
  Result<bool> run(const BatchDeadline& deadline);

 private:
  static Result<std::int64_t> number_from(Statement& statement);

  Statement mode_;
  Statement count_free_;
  Statement vacuum_some_;
};

}  // namespace heddle::store

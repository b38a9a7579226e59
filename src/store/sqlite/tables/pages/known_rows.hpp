// Looks up which keys and contents are stored. Same thread as its connection.
#pragma once

#include <vector>

#include "base/result.hpp"
#include "store/sqlite/core/statement.hpp"
#include "store/sqlite/tables/job_numbers.hpp"
#include "store/store.hpp"

namespace heddle::store {

class KnownRows {
 public:
  KnownRows(Connection& db, JobNumbers& jobs);

  // Skips what `answer` already marks as known.
  Status look_up(const KnownQuery& query, KnownAnswer& answer);

 private:
  Result<bool> has_key(std::int64_t job, const Hash128& key);

  JobNumbers& jobs_;
  Statement select_key_;
  Statement select_content_;
};

}  // namespace heddle::store

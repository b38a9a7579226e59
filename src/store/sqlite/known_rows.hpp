// Asks the database which keys and contents it has. Same thread as its connection.
#pragma once

#include <vector>

#include "base/result.hpp"
#include "store/sqlite/job_numbers.hpp"
#include "store/sqlite/statement.hpp"
#include "store/store.hpp"

namespace heddle::store {

class KnownRows {
 public:
  KnownRows(Connection& db, JobNumbers& jobs);

  // What `answer` already says is known is not asked for again.
  Status look_up(const KnownQuery& query, KnownAnswer& answer);

 private:
  Result<bool> has_key(std::int64_t job, const Hash128& key);

  JobNumbers& jobs_;
  Statement select_key_;
  Statement select_content_;
};

}  // namespace heddle::store

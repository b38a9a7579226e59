// Where jobs stand in their lives, written together with what happened. Writer thread only.
#pragma once

#include <vector>

#include "base/result.hpp"
#include "model/job_life.hpp"
#include "store/sqlite/job_numbers.hpp"
#include "store/sqlite/journal_table.hpp"
#include "store/sqlite/statement.hpp"

namespace heddle::store {

class LifeTable {
 public:
  LifeTable(Connection& db, JobNumbers& jobs, JournalTable& journal);

  // `conflict` when the job is not where the change begins.
  Status change(const JobChange& change);

 private:
  Status check_beginning(std::int64_t job, const JobChange& change);
  Status write(std::int64_t job, const JobLife& life);

  JobNumbers& jobs_;
  JournalTable& journal_;
  Statement select_state_;
  Statement put_;
};

// Reads them back. Same thread as its connection.
class LifeRows {
 public:
  explicit LifeRows(Connection& db);
  Result<std::vector<JobLife>> all();  // ordered by id

 private:
  Statement select_;
};

}  // namespace heddle::store

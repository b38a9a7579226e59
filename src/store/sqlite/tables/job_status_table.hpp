// Stores job statuses together with their events. Writer thread only.
#pragma once

#include <vector>

#include "base/result.hpp"
#include "model/job/job_status.hpp"
#include "store/sqlite/core/statement.hpp"
#include "store/sqlite/tables/job_numbers.hpp"
#include "store/sqlite/tables/journal_table.hpp"

namespace heddle::store {

class JobStatusTable {
 public:
  JobStatusTable(Connection& db, JobNumbers& jobs, JournalTable& journal);

  // `conflict` when the job is not in the state the change starts from.
  Status change(const JobChange& change);

 private:
  Status check_from_state(std::int64_t job, const JobChange& change);
  Status write(std::int64_t job, const JobStatus& status);

  JobNumbers& jobs_;
  JournalTable& journal_;
  Statement select_state_;
  Statement put_;
};

// Reads job statuses. Same thread as its connection.
class JobStatusRows {
 public:
  explicit JobStatusRows(Connection& db);
  Result<std::vector<JobStatus>> all();      // ordered by id
  Result<std::vector<JobStatus>> failing();  // those that are neither ok nor pending; likewise

 private:
  static Result<std::vector<JobStatus>> collect(Rows rows);

  Statement select_;
  Statement failing_;
};

}  // namespace heddle::store

// Deletes jobs: hides them immediately and removes their rows in batches. A deletion continues
// after a restart. Writer thread only.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "store/sqlite/core/statement.hpp"
#include "store/sqlite/retention/batch_pacer.hpp"
#include "store/sqlite/retention/run_remover.hpp"
#include "store/sqlite/retention/version_remover.hpp"
#include "store/sqlite/tables/job_numbers.hpp"
#include "store/sqlite/tables/journal_table.hpp"

namespace heddle::store {

struct JobRemoverParts {
  JobNumbers& jobs;
  JournalTable& journal;
  RunRemover& runs;
  VersionRemover& versions;
};

class JobRemover {
 public:
  JobRemover(Connection& db, JobRemoverParts parts);

  // See Store::begin_deletion.
  Status begin(const JobId& job, WallTime now);
  // Returns false when no deleted job is left.
  Result<bool> continue_deletion(const BatchDeadline& deadline);

 private:
  // These return true when no row is left, false when the deadline has passed.
  Result<bool> remove_runs(std::int64_t job, const BatchDeadline& deadline);
  Result<bool> remove_pages(std::int64_t job, const BatchDeadline& deadline);
  Result<bool> remove_page(std::int64_t page, const BatchDeadline& deadline);
  Result<bool> remove_rows(std::int64_t job, const BatchDeadline& deadline);
  // Call after the referencing rows are gone; keeps urls of other jobs.
  Result<bool> remove_urls(std::int64_t job, const BatchDeadline& deadline);
  Status finish(std::int64_t job);
  static Result<std::int64_t> first_of(Rows rows);  // 0: none

  JobRemoverParts parts_;
  Statement has_unfinished_run_;
  Statement mark_;
  Statement hide_;
  Statement delete_status_;
  Statement next_;
  Statement any_run_;
  Statement any_page_;
  Statement delete_page_keys_;
  Statement delete_page_;
  Statement any_url_;
  Statement delete_use_;
  Statement delete_unused_url_;
  std::vector<Statement> delete_some_;
  Statement keep_number_;
  Statement delete_job_;
  Statement unmark_;
};

}  // namespace heddle::store

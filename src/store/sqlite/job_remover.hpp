// Deletes jobs: at once for whoever asks, and then all their rows in pieces. Whatever is left when
// the program ends, the next one goes on with. Writer thread only.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "store/sqlite/job_numbers.hpp"
#include "store/sqlite/journal_table.hpp"
#include "store/sqlite/piece_pacer.hpp"
#include "store/sqlite/run_remover.hpp"
#include "store/sqlite/statement.hpp"
#include "store/sqlite/version_remover.hpp"

namespace heddle::store {

struct RemoverParts {
  JobNumbers& jobs;
  JournalTable& journal;
  RunRemover& runs;
  VersionRemover& versions;
};

class JobRemover {
 public:
  JobRemover(Connection& db, RemoverParts parts);

  // See History::begin_deletion.
  Status begin(const JobId& job, WallTime now);
  // False: no deleted job is left.
  Result<bool> go_on(const PieceTime& time);

 private:
  // These answer whether nothing is left; false: time was up.
  Result<bool> remove_runs(std::int64_t job, const PieceTime& time);
  Result<bool> remove_pages(std::int64_t job, const PieceTime& time);
  Result<bool> remove_page(std::int64_t page, const PieceTime& time);
  Result<bool> remove_rows(std::int64_t job, const PieceTime& time);
  // After all that speaks of them; those of other jobs stay.
  Result<bool> remove_urls(std::int64_t job, const PieceTime& time);
  Status finish(std::int64_t job);
  static Result<std::int64_t> first_of(Rows rows);  // 0: none

  RemoverParts parts_;
  Statement has_unfinished_run_;
  Statement mark_;
  Statement hide_;
  Statement end_life_;
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

// Holds all tables the writer thread changes, and the changes that span several of them.
#pragma once

#include "base/result.hpp"
#include "model/run/page_result.hpp"
#include "store/sqlite/tables/alert_table.hpp"
#include "store/sqlite/tables/dead_letter_table.hpp"
#include "store/sqlite/tables/job_numbers.hpp"
#include "store/sqlite/tables/job_status_table.hpp"
#include "store/sqlite/tables/journal_table.hpp"
#include "store/sqlite/tables/outbox_table.hpp"
#include "store/sqlite/tables/pages/change_rows.hpp"
#include "store/sqlite/tables/pages/followed_items.hpp"
#include "store/sqlite/tables/pages/item_table.hpp"
#include "store/sqlite/tables/pages/page_table.hpp"
#include "store/sqlite/tables/program_table.hpp"
#include "store/sqlite/tables/task_table.hpp"

namespace heddle::store {

struct Tables {
  explicit Tables(Connection& db)
      : jobs(db),
        journal(db),
        statuses(db, jobs, journal),
        in_flight_dead_letters(db, journal),
        tasks(db, jobs, journal, in_flight_dead_letters),
        items(db),
        followed(db, items),
        pages(db, items, followed),
        text_changes(db),
        outbox(db, jobs, journal),
        dead_letters(db, journal, {tasks, in_flight_dead_letters, outbox}),
        alerts(db, journal),
        programs(db, journal) {}

  // See Store::change_job.
  Status change_job(const JobChange& change);
  // See Store::change_alert.
  Status change_alert(const AlertChange& change);
  // See Store::commit.
  Result<CommitReceipt> commit(const PageResult& page);
  // See Store::end_run.
  Result<Run> end_run(const RunId& run, RunState state, std::vector<RunError> errors, WallTime now);
  // Returns how many items are new.
  Result<std::int64_t> import_items(const NextImportedItem& next);

  JobNumbers jobs;
  JournalTable journal;
  JobStatusTable statuses;
  InFlightDeadLetters in_flight_dead_letters;
  TaskTable tasks;
  ItemTable items;
  FollowedItems followed;
  PageTable pages;
  TextChangeTable text_changes;
  OutboxTable outbox;
  DeadLetterTable dead_letters;
  AlertTable alerts;
  ProgramTable programs;

 private:
  Result<TaskOutcome> store_page(const HeldTask& task, const PageResult& page);
  Status store_findings(const HeldTask& task, const PageResult& page, TaskOutcome& outcome);
};

}  // namespace heddle::store

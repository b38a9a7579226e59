// Everything the writer thread needs to change the database, and the one change that spans it all.
#pragma once

#include "base/result.hpp"
#include "model/page_result.hpp"
#include "store/sqlite/alert_table.hpp"
#include "store/sqlite/item_table.hpp"
#include "store/sqlite/job_numbers.hpp"
#include "store/sqlite/journal_table.hpp"
#include "store/sqlite/letter_table.hpp"
#include "store/sqlite/life_table.hpp"
#include "store/sqlite/outbox_table.hpp"
#include "store/sqlite/page_table.hpp"
#include "store/sqlite/program_table.hpp"
#include "store/sqlite/task_table.hpp"

namespace heddle::store {

struct Tables {
  explicit Tables(Connection& db)
      : jobs(db),
        journal(db),
        lives(db, jobs, journal),
        letters_in_hand(db, journal),
        tasks(db, jobs, journal, letters_in_hand),
        items(db),
        pages(db, items),
        outbox(db, jobs, journal),
        letters(db, journal, {tasks, letters_in_hand, outbox}),
        alerts(db, journal),
        programs(db, journal) {}

  // A step in a job's life, with its events and messages; see Store::change_job.
  Status change_job(const JobChange& change);
  // See Store::change_alert.
  Status change_alert(const AlertChange& change);
  // All that a page brought and the end of its task; see Store::commit.
  Result<CommitReceipt> commit(const PageResult& page);

  JobNumbers jobs;
  JournalTable journal;
  LifeTable lives;
  LettersInHand letters_in_hand;
  TaskTable tasks;
  ItemTable items;
  PageTable pages;
  OutboxTable outbox;
  LetterTable letters;
  AlertTable alerts;
  ProgramTable programs;

 private:
  Result<TaskOutcome> store_page(const HeldTask& task, const PageResult& page);
  Status store_findings(const HeldTask& task, const PageResult& page, TaskOutcome& outcome);
};

}  // namespace heddle::store

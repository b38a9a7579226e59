#include "store/sqlite/retention/job_remover.hpp"

#include <array>
#include <string>
#include <utility>

namespace heddle::store {

namespace {

// All tables that reference only the job, as (table, its key). Keys before items: a key without its
// item would hide the item forever.
constexpr std::array<std::pair<const char*, const char*>, 11> kOfJob{{
    {"seen_keys", "key"},
    {"items", "rowid"},
    {"listings", "prefix"},
    {"absences", "item"},
    {"changes", "rowid"},
    {"prices", "rowid"},
    {"price_days", ""},
    {"run_days", "day"},
    {"outbox", "rowid"},
    {"dead_letters", "rowid"},
    {"events", "rowid"},
}};

std::string some_of(const char* table, const char* key) {
  if (*key == '\0')
    return "DELETE FROM price_days WHERE job = ?1 AND (item, page, field, currency, day) IN"
           " (SELECT item, page, field, currency, day FROM price_days WHERE job = ?1 LIMIT 64)";
  return std::string("DELETE FROM ") + table + " WHERE job = ?1 AND " + key + " IN (SELECT " + key +
         " FROM " + table + " WHERE job = ?1 LIMIT 64)";
}

}  // namespace

JobRemover::JobRemover(Connection& db, JobRemoverParts parts)
    : parts_(parts),
      has_unfinished_run_(db, "SELECT 1 FROM runs WHERE job = ? AND ended_at IS NULL"),
      mark_(db, "INSERT INTO deletions (job, at) VALUES (?, ?)"),
      // A name that no job can have; the number stays reserved until all rows are gone.
      hide_(db,
            "UPDATE jobs SET id = char(1) || 'deleted ' || number, name = '', kind = '',"
            " revision = '' WHERE number = ?"),
      delete_status_(db, "DELETE FROM job_lives WHERE job = ?"),
      next_(db, "SELECT job FROM deletions ORDER BY job LIMIT 1"),
      any_run_(db, "SELECT number FROM runs WHERE job = ? LIMIT 1"),
      any_page_(db, "SELECT id FROM pages WHERE job = ? LIMIT 1"),
      delete_page_keys_(db, "DELETE FROM page_keys WHERE page = ?"),
      delete_page_(db, "DELETE FROM pages WHERE id = ?"),
      any_url_(db, "SELECT url FROM url_uses WHERE job = ? LIMIT 1"),
      delete_use_(db, "DELETE FROM url_uses WHERE job = ? AND url = ?"),
      delete_unused_url_(db,
                         "DELETE FROM urls WHERE id = ?1 AND NOT EXISTS"
                         " (SELECT 1 FROM url_uses WHERE url = ?1)"),
      keep_number_(db,
                   "INSERT INTO notes (name, value) VALUES ('jobs.last_number', ?)"
                   " ON CONFLICT DO UPDATE SET value ="
                   " max(CAST(value AS INTEGER), CAST(excluded.value AS INTEGER))"),
      delete_job_(db, "DELETE FROM jobs WHERE number = ?"),
      unmark_(db, "DELETE FROM deletions WHERE job = ?") {
  for (const auto& [table, key] : kOfJob) delete_some_.emplace_back(db, some_of(table, key));
}

Status JobRemover::begin(const JobId& job, WallTime now) {
  auto number = parts_.jobs.find(job);
  if (!number) return std::move(number).error();
  if (*number == 0) return Error{ErrorCode::not_found, "there is no job '" + job.text + "'"};
  auto is_busy = has_unfinished_run_.query(*number).next();
  if (!is_busy) return std::move(is_busy).error();
  if (*is_busy)
    return Error{ErrorCode::conflict, "job '" + job.text +
                                          "' has a run that has not ended: cancel it, or stop the "
                                          "job, before it is deleted"};
  if (auto marked = mark_.run(*number, now); !marked) return marked;
  if (auto hidden = hide_.run(*number); !hidden) return hidden;
  if (auto ended = delete_status_.run(*number); !ended) return ended;
  parts_.jobs.forget();
  const EventRow event{
      .at = now, .kind = "job.deleted", .job = {}, .run = {}, .data = {{"job", job.text}}};
  return parts_.journal.add(event);
}

Result<std::int64_t> JobRemover::first_of(Rows rows) {
  auto found = rows.next();
  if (!found) return std::move(found).error();
  return *found ? rows.integer(0) : 0;
}

Result<bool> JobRemover::continue_deletion(const BatchDeadline& deadline) {
  while (true) {
    auto job = first_of(next_.query());
    if (!job) return std::move(job).error();
    if (*job == 0) return false;
    for (auto remove : {&JobRemover::remove_runs, &JobRemover::remove_pages,
                        &JobRemover::remove_rows, &JobRemover::remove_urls}) {
      auto is_empty = (this->*remove)(*job, deadline);
      if (!is_empty) return std::move(is_empty).error();
      if (!*is_empty) return true;
    }
    if (auto finished = finish(*job); !finished) return std::move(finished).error();
    if (deadline.has_passed()) return true;
  }
}

Result<bool> JobRemover::remove_runs(std::int64_t job, const BatchDeadline& deadline) {
  while (true) {
    auto run = first_of(any_run_.query(job));
    if (!run) return std::move(run).error();
    if (*run == 0) return true;
    auto is_empty = parts_.runs.remove_parts(*run, deadline);
    if (!is_empty || !*is_empty) return is_empty;
    if (auto removed = parts_.runs.remove(*run); !removed) return std::move(removed).error();
    if (deadline.has_passed()) return false;
  }
}

Result<bool> JobRemover::remove_pages(std::int64_t job, const BatchDeadline& deadline) {
  while (true) {
    auto page = first_of(any_page_.query(job));
    if (!page) return std::move(page).error();
    if (*page == 0) return true;
    auto is_gone = remove_page(*page, deadline);
    if (!is_gone || !*is_gone) return is_gone;
    if (deadline.has_passed()) return false;
  }
}

Result<bool> JobRemover::remove_page(std::int64_t page, const BatchDeadline& deadline) {
  while (true) {
    auto removed = parts_.versions.remove_one_of(page);
    if (!removed) return std::move(removed).error();
    if (!*removed) break;
    if (deadline.has_passed()) return false;
  }
  if (auto done = delete_page_keys_.run(page); !done) return std::move(done).error();
  if (auto done = delete_page_.run(page); !done) return std::move(done).error();
  return true;
}

Result<bool> JobRemover::remove_rows(std::int64_t job, const BatchDeadline& deadline) {
  for (Statement& some : delete_some_) {
    while (true) {
      auto removed = some.change(job);
      if (!removed) return std::move(removed).error();
      if (*removed == 0) break;
      if (deadline.has_passed()) return false;
    }
  }
  return true;
}

Result<bool> JobRemover::remove_urls(std::int64_t job, const BatchDeadline& deadline) {
  while (true) {
    auto url = first_of(any_url_.query(job));
    if (!url) return std::move(url).error();
    if (*url == 0) return true;
    if (auto done = delete_use_.run(job, *url); !done) return std::move(done).error();
    if (auto done = delete_unused_url_.run(*url); !done) return std::move(done).error();
    if (deadline.has_passed()) return false;
  }
}

// Runs in the transaction that found everything else removed. The number is never reused: a stale
// cache finds nothing, rather than another job's rows.
Status JobRemover::finish(std::int64_t job) {
  if (auto kept = keep_number_.run(job); !kept) return kept;
  if (auto done = delete_job_.run(job); !done) return done;
  return unmark_.run(job);
}

}  // namespace heddle::store

#include "store/sqlite/sqlite_reader.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "store/sqlite/core/connection.hpp"
#include "store/sqlite/core/schema.hpp"
#include "store/sqlite/core/statement.hpp"
#include "store/sqlite/tables/alert_table.hpp"
#include "store/sqlite/tables/day_rows.hpp"
#include "store/sqlite/tables/dead_letter_table.hpp"
#include "store/sqlite/tables/job_numbers.hpp"
#include "store/sqlite/tables/job_status_table.hpp"
#include "store/sqlite/tables/load_rows.hpp"
#include "store/sqlite/tables/outbox_table.hpp"
#include "store/sqlite/tables/pages/body_rows.hpp"
#include "store/sqlite/tables/pages/change_rows.hpp"
#include "store/sqlite/tables/pages/record_rows.hpp"
#include "store/sqlite/tables/pages/trace_blob.hpp"
#include "store/sqlite/tables/program_table.hpp"
#include "store/sqlite/tables/run_table.hpp"

namespace heddle::store {

namespace {

constexpr std::size_t kBatch = 500;  // rows per short read transaction

// Gives the reads in its scope one consistent snapshot.
class ReadTransaction {
 public:
  explicit ReadTransaction(Connection& db) : db_(db), begun_(db.execute("BEGIN")) {}
  ~ReadTransaction() {
    if (db_.in_transaction()) (void)db_.execute("COMMIT");
  }
  ReadTransaction(const ReadTransaction&) = delete;
  ReadTransaction& operator=(const ReadTransaction&) = delete;

 private:
  Connection& db_;
  Status begun_;  // a failure shows at the first statement
};

Result<std::unique_ptr<Connection>> open_checked(const std::filesystem::path& file,
                                                 bool immutable) {
  auto db = Connection::open(file, {.read_only = true, .immutable = immutable});
  if (!db) return std::move(db).error();
  if (auto known = check_schema(**db); !known) return std::move(known).error();
  return db;
}

bool has_wal(const std::filesystem::path& file) {
  auto wal = file;
  wal += "-wal";
  std::error_code failure;
  return std::filesystem::exists(wal, failure);
}

}  // namespace

struct SqliteReader::Parts {
  explicit Parts(std::unique_ptr<Connection> open)
      : db(std::move(open)),
        job_numbers(*db),
        statuses(*db),
        dead_letters(*db),
        runs(*db),
        load(*db),
        raised(*db),
        days(*db),
        records(*db),
        changes(*db),
        bodies(*db),
        versions(*db),
        programs(*db),
        jobs(*db,
             "SELECT id, name, kind, revision FROM jobs"
             " WHERE number NOT IN (SELECT job FROM deletions) ORDER BY number"),
        traces(*db,
               "SELECT t.number, t.url, t.attempt, t.state, t.error_kind, t.error, x.trace, t.depth"
               " FROM runs r CROSS JOIN tasks t ON t.run = r.number"
               " LEFT JOIN traces x ON x.run = t.run AND x.task = t.number"
               " WHERE r.id = ? AND t.number > ? ORDER BY t.number LIMIT ?"),
        events(*db,
               "SELECT e.id, e.at, e.kind, coalesce(j.id, ''), coalesce(e.run, ''),"
               " coalesce(e.data, '') FROM events e LEFT JOIN jobs j ON j.number = e.job"
               " WHERE e.id > ? AND (e.job IS NULL OR e.job NOT IN (SELECT job FROM deletions))"
               " ORDER BY e.id LIMIT ?"),
        job_events(*db,
                   "SELECT e.id, e.at, e.kind, ?2, coalesce(e.run, ''), coalesce(e.data, '')"
                   " FROM events e WHERE e.job = ?1 AND e.id > ?3 ORDER BY e.id DESC LIMIT ?4"),
        key_matches(*db,
                    // Earlier versions stored no matches, but the number of items.
                    "SELECT DISTINCT coalesce(key_matches, '') FROM pages"
                    " WHERE job = ?1 AND (key_matches NOTNULL OR item_count > 0) AND rules_hash ="
                    " (SELECT rules_hash FROM pages WHERE job = ?1 ORDER BY last_seen DESC"
                    " LIMIT 1)"),
        newest_events(*db,
                      "SELECT e.id, e.at, e.kind, coalesce(j.id, ''), coalesce(e.run, ''),"
                      " coalesce(e.data, '') FROM events e LEFT JOIN jobs j ON j.number = e.job"
                      " WHERE e.id > ? AND (e.job IS NULL OR e.job NOT IN (SELECT job FROM "
                      "deletions)) ORDER BY e.id DESC LIMIT ?"),
        run_ids(*db,
                "SELECT id FROM runs WHERE id >= ?1 AND id < ?1 || char(0x10FFFF)"
                " ORDER BY id LIMIT ?2"),
        dead_letter_ids(*db,
                        "SELECT id FROM dead_letters WHERE id >= ?1 AND id < ?2"
                        " AND job NOT IN (SELECT job FROM deletions) ORDER BY id LIMIT ?3"),
        outbox(*db) {}

  Result<std::vector<RunRows::Row>> read_runs(const JobId& job, std::size_t max,
                                              std::int64_t before) {
    const ReadTransaction moment(*db);
    return runs.of_job(job, max, before);
  }
  Result<std::vector<TaskTrace>> read_traces(const RunId& run, TaskNumber after);

  std::unique_ptr<Connection> db;
  JobNumbers job_numbers;
  JobStatusRows statuses;
  DeadLetterRows dead_letters;
  RunRows runs;
  LoadRows load;
  AlertRows raised;
  DayRows days;
  RecordRows records;
  ChangeRows changes;
  BodyRows bodies;
  VersionRows versions;
  ProgramRows programs;
  Statement jobs;
  Statement traces;
  Statement events;
  Statement job_events;
  Statement key_matches;
  Statement newest_events;
  Statement run_ids;
  Statement dead_letter_ids;
  OutboxRows outbox;
};

SqliteReader::SqliteReader(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
SqliteReader::~SqliteReader() = default;

Result<std::unique_ptr<SqliteReader>> SqliteReader::open(const std::filesystem::path& file) {
  std::error_code failure;
  if (!std::filesystem::exists(file, failure))
    return Error{ErrorCode::not_found,
                 "there is no database " + file.string() +
                     ": nothing was stored yet (`heddle run JOB` creates it)"};
  auto db = open_checked(file, false);
  // In a read-only folder SQLite cannot create its shared memory; without a WAL, and so without a
  // writer, the file alone is complete.
  if (!db && db.error().code == ErrorCode::unavailable && !has_wal(file))
    db = open_checked(file, true);
  if (!db) return std::move(db).error().during("cannot read the database");
  return std::unique_ptr<SqliteReader>(new SqliteReader(std::make_unique<Parts>(std::move(*db))));
}

Result<std::vector<JobName>> SqliteReader::jobs() {
  std::vector<JobName> jobs;
  auto rows = parts_->jobs.query();
  while (true) {
    auto more = rows.next();
    if (!more) return std::move(more).error();
    if (!*more) return jobs;
    jobs.push_back({{std::string(rows.text(0))},
                    std::string(rows.text(1)),
                    std::string(rows.text(2)),
                    std::string(rows.text(3))});
  }
}

Result<bool> SqliteReader::has_statuses() {
  auto tables = parts_->db->query_integer(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'job_lives'");
  if (!tables) return std::move(tables).error();
  return *tables > 0;  // false: an older version, not upgraded yet
}

Result<std::vector<JobStatus>> SqliteReader::job_statuses() {
  auto has_any = has_statuses();
  if (!has_any) return std::move(has_any).error();
  return *has_any ? parts_->statuses.all() : std::vector<JobStatus>();
}

Result<std::vector<JobStatus>> SqliteReader::failing_jobs() {
  auto has_any = has_statuses();
  if (!has_any) return std::move(has_any).error();
  return *has_any ? parts_->statuses.failing() : std::vector<JobStatus>();
}

Status SqliteReader::for_each_record(const JobId& job, std::optional<WallTime> since,
                                     const VisitRecord& visit) {
  auto number = parts_->job_numbers.find(job);
  if (!number) return std::move(number).error();
  const std::int64_t from = since ? since->time_since_epoch().count() : INT64_MIN;
  RecordRows::Cursor cursor;
  while (true) {
    auto records = parts_->records.read(*number, from, cursor);
    if (!records) return std::move(records).error();
    if (records->empty()) return Done{};
    for (Record& record : *records) {
      record.job = job;
      if (!visit(record)) return Done{};
    }
  }
}

Status SqliteReader::for_each_change(const JobId& job, std::optional<WallTime> since,
                                     const VisitChange& visit) {
  auto number = parts_->job_numbers.find(job);
  if (!number) return std::move(number).error();
  const std::int64_t from = since ? since->time_since_epoch().count() : INT64_MIN;
  ChangeRows::Cursor cursor;
  while (true) {
    auto changes = parts_->changes.read(*number, from, cursor);
    if (!changes) return std::move(changes).error();
    if (changes->empty()) return Done{};
    for (Change& change : *changes) {
      change.job = job;
      if (!visit(change)) return Done{};
    }
  }
}

Status SqliteReader::for_each_run(const JobId& job, const VisitRun& visit) {
  std::int64_t before = INT64_MAX;
  while (true) {
    auto runs = parts_->read_runs(job, kBatch, before);
    if (!runs) return std::move(runs).error();
    for (const RunRows::Row& row : *runs) {
      if (!visit(row.run)) return Done{};
      before = row.number;
    }
    if (runs->size() < kBatch) return Done{};
  }
}

Result<std::vector<Run>> SqliteReader::runs(const JobId& job, std::size_t max) {
  auto rows = parts_->read_runs(job, max, INT64_MAX);
  if (!rows) return std::move(rows).error();
  std::vector<Run> runs;
  for (RunRows::Row& row : *rows) runs.push_back(std::move(row.run));
  return runs;
}

Result<std::optional<Run>> SqliteReader::run(const RunId& id) {
  const ReadTransaction moment(*parts_->db);
  return parts_->runs.find(id);
}

Result<std::vector<RunId>> SqliteReader::run_ids(const std::string& prefix, std::size_t max) {
  std::vector<RunId> ids;
  auto rows = parts_->run_ids.query(prefix, static_cast<std::int64_t>(max));
  while (true) {
    auto more = rows.next();
    if (!more) return std::move(more).error();
    if (!*more) return ids;
    ids.push_back(RunId{std::string(rows.text(0))});
  }
}

// 17, 170 to 179, 1700 to 1799, …
Result<std::vector<DeadLetterId>> SqliteReader::dead_letter_ids(DeadLetterId prefix,
                                                                std::size_t max) {
  constexpr DeadLetterId kLargest = std::numeric_limits<DeadLetterId>::max() / 20;
  std::vector<DeadLetterId> ids;
  DeadLetterId first = prefix;
  for (DeadLetterId count = 1; first > 0 && first < kLargest; first *= 10, count *= 10) {
    auto rows = parts_->dead_letter_ids.query(first, first + count,
                                              static_cast<std::int64_t>(max - ids.size()));
    while (true) {
      auto more = rows.next();
      if (!more) return std::move(more).error();
      if (!*more) break;
      ids.push_back(rows.integer(0));
    }
  }
  return ids;
}

Result<ProgramHistory> SqliteReader::program_history(const RunId& run) {
  return parts_->programs.of(run);
}

Result<std::vector<TaskTrace>> SqliteReader::Parts::read_traces(const RunId& run,
                                                                TaskNumber after) {
  std::vector<TaskTrace> read;
  auto rows = traces.query(run.text, after, static_cast<std::int64_t>(kBatch));
  while (true) {
    auto more = rows.next();
    if (!more) return std::move(more).error();
    if (!*more) return read;
    TaskTrace& task = read.emplace_back();
    task.task = {run, rows.integer(0), std::string(rows.text(1)),
                 static_cast<int>(rows.integer(2))};
    task.task.is_discovered = !rows.is_null(7);
    task.task.depth = static_cast<int>(rows.integer(7));
    task.state = task_state_of(rows.integer(3));
    if (!rows.is_null(4)) task.error.append(rows.text(4)).append(": ").append(rows.text(5));
    task.trace = decode_trace(rows.blob(6));
  }
}

Status SqliteReader::for_each_trace(const RunId& run, const VisitTrace& visit) {
  TaskNumber after = INT64_MIN;
  while (true) {
    auto traces = parts_->read_traces(run, after);
    if (!traces) return std::move(traces).error();
    for (const TaskTrace& trace : *traces) {
      if (!visit(trace)) return Done{};
      after = trace.task.number;
    }
    if (traces->size() < kBatch) return Done{};
  }
}

namespace {

Result<std::vector<StoredEvent>> collect_events(Rows rows) {
  std::vector<StoredEvent> events;
  while (true) {
    auto more = rows.next();
    if (!more) return std::move(more).error();
    if (!*more) return events;
    events.push_back({rows.integer(0), rows.time(1), std::string(rows.text(2)),
                      JobId{std::string(rows.text(3))}, RunId{std::string(rows.text(4))},
                      std::string(rows.text(5))});
  }
}

}  // namespace

Result<std::vector<StoredEvent>> SqliteReader::events(std::int64_t after, std::size_t max) {
  return collect_events(parts_->events.query(after, static_cast<std::int64_t>(max)));
}

Result<std::vector<StoredEvent>> SqliteReader::job_events(const JobId& job, std::int64_t after,
                                                          std::size_t max) {
  const auto limit = static_cast<std::int64_t>(max);
  auto number = job.text.empty() ? std::int64_t{0} : parts_->job_numbers.find(job);
  if (!number) return std::move(number).error();
  auto events =
      collect_events(job.text.empty() ? parts_->newest_events.query(after, limit)
                                      : parts_->job_events.query(*number, job.text, after, limit));
  if (events) std::reverse(events->begin(), events->end());
  return events;
}

Result<Backlog> SqliteReader::backlog() {
  Backlog backlog;
  const auto count = [this](const char* sql, std::int64_t& into) -> Status {
    auto number = parts_->db->query_integer(sql);
    if (!number) return std::move(number).error();
    into = *number;
    return Done{};
  };
  auto pages =
      count("SELECT coalesce(sum(open_tasks), 0) FROM runs WHERE ended_at IS NULL", backlog.pages);
  if (!pages) return std::move(pages).error();
  // Two counts: the index of waiting messages does not name their jobs.
  auto messages = count(
      "SELECT (SELECT count(*) FROM outbox INDEXED BY outbox_waiting WHERE state = 0)"
      " - (SELECT count(*) FROM deletions d CROSS JOIN outbox o ON o.job = d.job AND o.state = 0)",
      backlog.messages);
  if (!messages) return std::move(messages).error();
  auto dead_letters =
      count("SELECT count(*) FROM dead_letters WHERE job NOT IN (SELECT job FROM deletions)",
            backlog.dead_letters);
  if (!dead_letters) return std::move(dead_letters).error();
  return backlog;
}

Result<std::vector<SystemAlert>> SqliteReader::alerts() {
  return parts_->raised.all();
}

Result<std::vector<RunFigures>> SqliteReader::recent_runs(const JobId& job, std::size_t max) {
  auto number = parts_->job_numbers.find(job);
  if (!number) return std::move(number).error();
  return parts_->load.recent_runs(*number, max);
}

Result<std::vector<RunDay>> SqliteReader::run_days(const JobId& job, const DayRange& range) {
  const ReadTransaction moment(*parts_->db);
  auto number = parts_->job_numbers.find(job);
  if (!number) return std::move(number).error();
  return parts_->days.runs(*number, range);
}

Result<std::vector<PriceDay>> SqliteReader::price_days(const JobId& job, const DayRange& range) {
  const ReadTransaction moment(*parts_->db);
  auto number = parts_->job_numbers.find(job);
  if (!number) return std::move(number).error();
  return parts_->days.prices(*number, range);
}

Result<OutboxCounts> SqliteReader::outbox(const JobId& job) {
  auto number = parts_->job_numbers.find(job);
  if (!number) return std::move(number).error();
  return parts_->outbox.counts(*number);
}

Status SqliteReader::for_each_dead_letter(const JobId& job, const VisitDeadLetter& visit) {
  DeadLetterId before = INT64_MAX;
  while (true) {
    auto dead_letters = parts_->dead_letters.of_job(job, kBatch, before);
    if (!dead_letters) return std::move(dead_letters).error();
    for (const DeadLetter& dead_letter : *dead_letters) {
      if (!visit(dead_letter)) return Done{};
      before = dead_letter.id;
    }
    if (dead_letters->size() < kBatch) return Done{};
  }
}

Result<std::optional<DeadLetter>> SqliteReader::dead_letter(DeadLetterId id) {
  return parts_->dead_letters.find(id);
}

Result<std::vector<std::string>> SqliteReader::key_matches(const JobId& job) {
  auto number = parts_->job_numbers.find(job);
  if (!number) return std::move(number).error();
  std::vector<std::string> texts;
  auto rows = parts_->key_matches.query(*number);
  while (true) {
    auto more = rows.next();
    if (!more) return std::move(more).error();
    if (!*more) return texts;
    texts.emplace_back(rows.text(0));
  }
}

Result<std::optional<std::string>> SqliteReader::newest_body(const JobId& job,
                                                             const std::string& url) {
  const ReadTransaction moment(*parts_->db);
  auto number = parts_->job_numbers.find(job);
  if (!number) return std::move(number).error();
  return parts_->bodies.newest(*number, url);
}

Result<std::vector<PageVersion>> SqliteReader::versions(const JobId& job, const std::string& url,
                                                        std::size_t max) {
  const ReadTransaction moment(*parts_->db);
  auto number = parts_->job_numbers.find(job);
  if (!number) return std::move(number).error();
  return parts_->versions.of_page(*number, url, max);
}

Result<std::optional<std::string>> SqliteReader::version_body(const JobId& job,
                                                              const std::string& url,
                                                              std::int64_t version) {
  const ReadTransaction moment(*parts_->db);
  auto number = parts_->job_numbers.find(job);
  if (!number) return std::move(number).error();
  return parts_->versions.body(*number, url, version);
}

Result<std::vector<std::string>> SqliteReader::pages_by_version(const JobId& job, std::size_t max) {
  auto number = parts_->job_numbers.find(job);
  if (!number) return std::move(number).error();
  return parts_->versions.pages(*number, max);
}

}  // namespace heddle::store

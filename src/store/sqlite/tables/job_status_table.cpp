#include "store/sqlite/tables/job_status_table.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace heddle::store {

namespace {

std::optional<std::string_view> text_of(const std::optional<PauseReason>& reason) {
  if (!reason) return std::nullopt;
  return to_text(*reason);
}

std::optional<std::string_view> text_of(const std::optional<RunId>& run) {
  if (!run) return std::nullopt;
  return run->text;
}

Error state_conflict(const JobChange& change, std::string_view found) {
  return {ErrorCode::conflict,
          "job " + change.now.job.text + " is " + std::string(found) + ", not " +
              (change.from ? std::string(to_text(*change.from)) : std::string("new"))};
}

std::optional<WallTime> maybe_time(const Rows& rows, int column) {
  if (rows.is_null(column)) return std::nullopt;
  return rows.time(column);
}

// An unknown state reads as `created`, which starts nothing by itself.
JobStatus read_status(const Rows& rows) {
  JobStatus status;
  status.job.text = rows.text(0);
  status.state = job_state_from(rows.text(1)).value_or(JobState::created);
  status.since = rows.time(2);
  if (!rows.is_null(3)) status.pause_reason = pause_reason_from(rows.text(3));
  if (!rows.is_null(4)) status.run = RunId{std::string(rows.text(4))};
  status.next_run_at = maybe_time(rows, 5);
  status.handled_until = maybe_time(rows, 6);
  status.check = check_state_from(rows.text(7)).value_or(CheckState::pending);
  status.failed_runs = static_cast<int>(rows.integer(8));
  status.attempt = static_cast<int>(rows.integer(9));
  status.revision = rows.text(10);
  if (!rows.is_null(11) && !rows.is_null(12))
    status.queued_run =
        QueuedRun{run_trigger_from(rows.text(11)).value_or(RunTrigger::manual), rows.time(12)};
  if (!rows.is_null(13)) status.unpropagated_run = RunId{std::string(rows.text(13))};
  return status;
}

}  // namespace

JobStatusTable::JobStatusTable(Connection& db, JobNumbers& jobs, JournalTable& journal)
    : jobs_(jobs),
      journal_(journal),
      select_state_(db, "SELECT state FROM job_lives WHERE job = ?"),
      put_(db,
           "INSERT OR REPLACE INTO job_lives (job, state, since, pause_reason, run, next_run_at,"
           " handled_until, check_state, failed_runs, attempt, revision, waiting_for,"
           " waiting_since, untold_run) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)") {}

Status JobStatusTable::change(const JobChange& change) {
  auto job = jobs_.number_of(change.now.job);
  if (!job) return std::move(job).error();
  if (auto right = check_from_state(*job, change); !right) return right;
  if (auto written = write(*job, change.now); !written) return written;
  for (const JobEvent& event : change.events) {
    EventRow row{.at = event.at, .kind = event.kind, .job = *job, .run = {}, .data = {}};
    if (event.run) row.run = event.run->text;
    for (const auto& [name, value] : event.data) row.data.push_back({name, value});
    if (auto added = journal_.add(row); !added) return added;
  }
  return Done{};
}

Status JobStatusTable::check_from_state(std::int64_t job, const JobChange& change) {
  auto rows = select_state_.query(job);
  auto found = rows.next();
  if (!found) return std::move(found).error();
  if (!*found) return change.from ? state_conflict(change, "unknown") : Status(Done{});
  if (!change.from || rows.text(0) != to_text(*change.from))
    return state_conflict(change, rows.text(0));
  return Done{};
}

Status JobStatusTable::write(std::int64_t job, const JobStatus& status) {
  std::optional<std::string_view> waiting_for;
  std::optional<WallTime> waiting_since;
  if (status.queued_run) {
    waiting_for = to_text(status.queued_run->trigger);
    waiting_since = status.queued_run->since;
  }
  return put_.run(job, to_text(status.state), status.since, text_of(status.pause_reason),
                  text_of(status.run), status.next_run_at, status.handled_until,
                  to_text(status.check), status.failed_runs, status.attempt, status.revision,
                  waiting_for, waiting_since, text_of(status.unpropagated_run));
}

namespace {

const std::string kSelectStatus =  // NOLINT(cert-err58-cpp): cannot throw in practice
    "SELECT j.id, l.state, l.since, l.pause_reason, l.run, l.next_run_at,"
    " l.handled_until, l.check_state, l.failed_runs, l.attempt, l.revision,"
    " l.waiting_for, l.waiting_since, l.untold_run ";

}  // namespace

JobStatusRows::JobStatusRows(Connection& db)
    : select_(db, kSelectStatus +
                      "FROM jobs j CROSS JOIN job_lives l ON l.job = j.number ORDER BY j.id"),
      failing_(db, kSelectStatus +
                       "FROM job_lives l INDEXED BY job_lives_failing"
                       " CROSS JOIN jobs j ON j.number = l.job"
                       " WHERE l.check_state NOT IN ('ok', 'pending')") {}

Result<std::vector<JobStatus>> JobStatusRows::all() {
  return collect(select_.query());
}

Result<std::vector<JobStatus>> JobStatusRows::failing() {
  auto statuses = collect(failing_.query());
  if (statuses)
    std::sort(statuses->begin(), statuses->end(),
              [](const JobStatus& a, const JobStatus& b) { return a.job < b.job; });
  return statuses;
}

Result<std::vector<JobStatus>> JobStatusRows::collect(Rows rows) {
  std::vector<JobStatus> statuses;
  while (true) {
    auto more = rows.next();
    if (!more) return std::move(more).error();
    if (!*more) return statuses;
    statuses.push_back(read_status(rows));
  }
}

}  // namespace heddle::store

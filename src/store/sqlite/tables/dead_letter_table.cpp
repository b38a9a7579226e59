#include "store/sqlite/tables/dead_letter_table.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace heddle::store {

namespace {

const std::string kSelect =  // NOLINT(cert-err58-cpp): cannot throw in practice
    "SELECT d.id, d.origin, coalesce(j.id, ''), d.run, d.task, d.delivery, d.payload, d.error_kind,"
    " d.error, d.attempts, d.first_failed_at, d.last_failed_at, d.slot"
    " FROM dead_letters d LEFT JOIN jobs j ON j.number = d.job ";

std::int64_t as_limit(std::size_t max) {
  return static_cast<std::int64_t>(std::min<std::size_t>(max, INT32_MAX));
}

Error no_such_dead_letter(DeadLetterId id) {
  return {ErrorCode::not_found,
          "there is no dead letter " + std::to_string(id) + ": it was retried or purged"};
}

}  // namespace

DeadLetterRows::DeadLetterRows(Connection& db)
    : all_(db, kSelect +
                   "WHERE d.id < ? AND d.job NOT IN (SELECT job FROM deletions)"
                   " ORDER BY d.id DESC LIMIT ?"),
      by_job_(db, kSelect +
                      "WHERE d.job = (SELECT number FROM jobs WHERE id = ?) AND d.id < ?"
                      " ORDER BY d.id DESC LIMIT ?"),
      by_id_(db, kSelect + "WHERE d.id = ? AND d.job NOT IN (SELECT job FROM deletions)") {}

DeadLetter DeadLetterRows::read(const Rows& rows) {
  DeadLetter dead_letter;
  dead_letter.id = rows.integer(0);
  dead_letter.origin = dead_letter_origin_from(rows.text(1)).value_or(DeadLetterOrigin::page);
  dead_letter.job.text = rows.text(2);
  dead_letter.run.text = rows.text(3);
  dead_letter.task = rows.maybe_integer(4);
  if (!rows.is_null(5)) dead_letter.delivery = DeliveryId{std::string(rows.text(5))};
  dead_letter.payload = rows.text(6);
  dead_letter.error_kind = rows.text(7);
  dead_letter.error = rows.text(8);
  dead_letter.attempts = static_cast<int>(rows.integer(9));
  dead_letter.first_failed_at = rows.time(10);
  dead_letter.last_failed_at = rows.time(11);
  dead_letter.slot = rows.text(12);
  return dead_letter;
}

Result<std::vector<DeadLetter>> DeadLetterRows::of_job(const JobId& job, std::size_t max,
                                                       DeadLetterId before) {
  std::vector<DeadLetter> dead_letters;
  auto rows = job.text.empty() ? all_.query(before, as_limit(max))
                               : by_job_.query(job.text, before, as_limit(max));
  while (true) {
    auto more = rows.next();
    if (!more) return std::move(more).error();
    if (!*more) return dead_letters;
    dead_letters.push_back(read(rows));
  }
}

Result<std::optional<DeadLetter>> DeadLetterRows::find(DeadLetterId id) {
  auto rows = by_id_.query(id);
  auto found = rows.next();
  if (!found) return std::move(found).error();
  if (!*found) return std::optional<DeadLetter>();
  return std::optional<DeadLetter>(read(rows));
}

DeadLetterTable::DeadLetterTable(Connection& db, JournalTable& journal, Targets targets)
    : journal_(journal),
      tasks_(targets.tasks),
      in_flight_(targets.in_flight),
      outbox_(targets.outbox),
      select_(db,
              "SELECT d.origin, d.job, coalesce(j.id, ''), coalesce(d.delivery, ''), d.payload"
              " FROM dead_letters d LEFT JOIN jobs j ON j.number = d.job WHERE d.id = ?"),
      delete_(db, "DELETE FROM dead_letters WHERE id = ?") {}

Result<std::optional<DeadLetterTable::Row>> DeadLetterTable::find(DeadLetterId id) {
  auto rows = select_.query(id);
  auto found = rows.next();
  if (!found) return std::move(found).error();
  if (!*found) return std::optional<Row>();
  return std::optional<Row>(Row{
      id, dead_letter_origin_from(rows.text(0)).value_or(DeadLetterOrigin::page), rows.integer(1),
      std::string(rows.text(2)), std::string(rows.text(3)), std::string(rows.text(4))});
}

Result<std::vector<DeadLetterTable::Row>> DeadLetterTable::find_all(
    const std::vector<DeadLetterId>& dead_letters, DeadLetterOrigin origin) {
  std::vector<Row> found;
  std::unordered_set<DeadLetterId> seen;
  for (const DeadLetterId id : dead_letters) {
    if (!seen.insert(id).second) continue;
    auto row = find(id);
    if (!row) return std::move(row).error();
    if (!*row) return no_such_dead_letter(id);
    if ((*row)->origin != origin)
      return Error{ErrorCode::bad_input, "dead letter " + std::to_string(id) + " is of a " +
                                             std::string(to_text((*row)->origin)) + ", not of a " +
                                             std::string(to_text(origin))};
    found.push_back(std::move(**row));
  }
  return found;
}

Status DeadLetterTable::remove_all(const std::vector<Row>& rows) {
  for (const Row& row : rows)
    if (auto removed = delete_.run(row.id); !removed) return removed;
  return Done{};
}

Result<std::int64_t> DeadLetterTable::begin_run(const Run& run,
                                                const std::vector<DeadLetterId>& dead_letters) {
  auto rows = find_all(dead_letters, DeadLetterOrigin::page);
  if (!rows) return std::move(rows).error();
  std::vector<std::string> urls;
  std::unordered_map<std::string, TaskNumber> tasks;
  for (const Row& row : *rows) {
    if (row.job != run.job.text)
      return Error{ErrorCode::bad_input, "dead letter " + std::to_string(row.id) + " is of job '" +
                                             row.job + "', not of '" + run.job.text + "'"};
    // A page that failed in several runs is tried once.
    const auto number = static_cast<TaskNumber>(urls.size()) + 1;
    if (tasks.try_emplace(row.payload, number).second) urls.push_back(row.payload);
  }
  auto begun = tasks_.begin_run(run, urls);
  if (!begun) return std::move(begun).error();
  // Newest first: a page keeps its newest dead letter.
  std::sort(rows->begin(), rows->end(), [](const Row& a, const Row& b) { return a.id > b.id; });
  for (const Row& row : *rows)
    if (auto assigned = in_flight_.assign(row.id, *begun, tasks.at(row.payload)); !assigned)
      return std::move(assigned).error();
  for (const Row& row : *rows) {
    const EventRow event{.at = run.started_at,
                         .kind = "page.retried",
                         .job = row.job_number,
                         .run = run.id.text,
                         .data = {{"letter", std::to_string(row.id)}, {"url", row.payload}}};
    if (auto added = journal_.add(event); !added) return std::move(added).error();
  }
  return static_cast<std::int64_t>(urls.size());
}

Status DeadLetterTable::resend(const std::vector<DeadLetterId>& dead_letters, WallTime now) {
  auto rows = find_all(dead_letters, DeadLetterOrigin::delivery);
  if (!rows) return std::move(rows).error();
  for (const Row& row : *rows) {
    if (auto requeued = outbox_.requeue({row.delivery}, now); !requeued) return requeued;
    const EventRow event{.at = now,
                         .kind = "delivery.retried",
                         .job = row.job_number,
                         .run = {},
                         .data = {{"letter", std::to_string(row.id)}, {"delivery", row.delivery}}};
    if (auto added = journal_.add(event); !added) return added;
  }
  return remove_all(*rows);
}

Result<std::int64_t> DeadLetterTable::purge(const std::vector<DeadLetterId>& dead_letters,
                                            WallTime now) {
  std::map<std::int64_t, std::int64_t> counts;  // by job
  std::int64_t purged = 0;
  for (const DeadLetterId id : dead_letters) {
    auto row = find(id);
    if (!row) return std::move(row).error();
    if (!*row) continue;
    if (auto removed = delete_.run(id); !removed) return std::move(removed).error();
    ++counts[(*row)->job_number];
    ++purged;
  }
  for (const auto& [job, count] : counts) {
    const EventRow event{.at = now,
                         .kind = "dead_letters.purged",
                         .job = job,
                         .run = {},
                         .data = {{"count", std::to_string(count)}}};
    if (auto added = journal_.add(event); !added) return std::move(added).error();
  }
  return purged;
}

}  // namespace heddle::store

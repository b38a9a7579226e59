#include "store/sqlite/letter_table.hpp"

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

Error no_such_letter(LetterId id) {
  return {ErrorCode::not_found,
          "there is no dead letter " + std::to_string(id) + ": it was tried again or thrown away"};
}

}  // namespace

LetterRows::LetterRows(Connection& db)
    : all_(db,
           kSelect + "WHERE d.job NOT IN (SELECT job FROM deletions) ORDER BY d.id DESC LIMIT ?"),
      by_job_(db, kSelect +
                      "WHERE d.job = (SELECT number FROM jobs WHERE id = ?)"
                      " ORDER BY d.id DESC LIMIT ?"),
      by_id_(db, kSelect + "WHERE d.id = ? AND d.job NOT IN (SELECT job FROM deletions)") {}

DeadLetter LetterRows::read(const Rows& rows) {
  DeadLetter letter;
  letter.id = rows.integer(0);
  letter.origin = letter_origin_from(rows.text(1)).value_or(LetterOrigin::page);
  letter.job.text = rows.text(2);
  letter.run.text = rows.text(3);
  letter.task = rows.maybe_integer(4);
  if (!rows.is_null(5)) letter.delivery = DeliveryId{std::string(rows.text(5))};
  letter.payload = rows.text(6);
  letter.error_kind = rows.text(7);
  letter.error = rows.text(8);
  letter.attempts = static_cast<int>(rows.integer(9));
  letter.first_failed_at = rows.time(10);
  letter.last_failed_at = rows.time(11);
  letter.slot = rows.text(12);
  return letter;
}

Result<std::vector<DeadLetter>> LetterRows::of_job(const JobId& job, std::size_t max) {
  std::vector<DeadLetter> letters;
  auto rows = job.text.empty() ? all_.query(as_limit(max)) : by_job_.query(job.text, as_limit(max));
  while (true) {
    auto more = rows.next();
    if (!more) return std::move(more).error();
    if (!*more) return letters;
    letters.push_back(read(rows));
  }
}

Result<std::optional<DeadLetter>> LetterRows::find(LetterId id) {
  auto rows = by_id_.query(id);
  auto found = rows.next();
  if (!found) return std::move(found).error();
  if (!*found) return std::optional<DeadLetter>();
  return std::optional<DeadLetter>(read(rows));
}

LetterTable::LetterTable(Connection& db, JournalTable& journal, Ways ways)
    : journal_(journal),
      tasks_(ways.tasks),
      in_hand_(ways.in_hand),
      outbox_(ways.outbox),
      select_(db,
              "SELECT d.origin, d.job, coalesce(j.id, ''), coalesce(d.delivery, ''), d.payload"
              " FROM dead_letters d LEFT JOIN jobs j ON j.number = d.job WHERE d.id = ?"),
      delete_(db, "DELETE FROM dead_letters WHERE id = ?") {}

Result<std::optional<LetterTable::Row>> LetterTable::find(LetterId id) {
  auto rows = select_.query(id);
  auto found = rows.next();
  if (!found) return std::move(found).error();
  if (!*found) return std::optional<Row>();
  return std::optional<Row>(Row{id, letter_origin_from(rows.text(0)).value_or(LetterOrigin::page),
                                rows.integer(1), std::string(rows.text(2)),
                                std::string(rows.text(3)), std::string(rows.text(4))});
}

Result<std::vector<LetterTable::Row>> LetterTable::find_all(const std::vector<LetterId>& letters,
                                                            LetterOrigin origin) {
  std::vector<Row> found;
  std::unordered_set<LetterId> seen;
  for (const LetterId id : letters) {
    if (!seen.insert(id).second) continue;
    auto row = find(id);
    if (!row) return std::move(row).error();
    if (!*row) return no_such_letter(id);
    if ((*row)->origin != origin)
      return Error{ErrorCode::bad_input, "dead letter " + std::to_string(id) + " is of a " +
                                             std::string(to_text((*row)->origin)) + ", not of a " +
                                             std::string(to_text(origin))};
    found.push_back(std::move(**row));
  }
  return found;
}

Status LetterTable::take_away(const std::vector<Row>& rows) {
  for (const Row& row : rows)
    if (auto gone = delete_.run(row.id); !gone) return gone;
  return Done{};
}

Result<std::int64_t> LetterTable::begin_run(const Run& run, const std::vector<LetterId>& letters) {
  auto rows = find_all(letters, LetterOrigin::page);
  if (!rows) return std::move(rows).error();
  std::vector<std::string> urls;
  std::unordered_map<std::string, TaskNumber> tasks;
  for (const Row& row : *rows) {
    if (row.job != run.job.text)
      return Error{ErrorCode::bad_input, "dead letter " + std::to_string(row.id) + " is of job '" +
                                             row.job + "', not of '" + run.job.text + "'"};
    // A page that died in several runs is one page.
    const auto number = static_cast<TaskNumber>(urls.size()) + 1;
    if (tasks.try_emplace(row.payload, number).second) urls.push_back(row.payload);
  }
  auto begun = tasks_.begin_run(run, urls);
  if (!begun) return std::move(begun).error();
  // The newest letter of a page first: that is the one it keeps.
  std::sort(rows->begin(), rows->end(), [](const Row& a, const Row& b) { return a.id > b.id; });
  for (const Row& row : *rows)
    if (auto taken = in_hand_.take(row.id, *begun, tasks.at(row.payload)); !taken)
      return std::move(taken).error();
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

Status LetterTable::resend(const std::vector<LetterId>& letters, WallTime now) {
  auto rows = find_all(letters, LetterOrigin::delivery);
  if (!rows) return std::move(rows).error();
  for (const Row& row : *rows) {
    if (auto revived = outbox_.revive({row.delivery}, now); !revived) return revived;
    const EventRow event{.at = now,
                         .kind = "delivery.retried",
                         .job = row.job_number,
                         .run = {},
                         .data = {{"letter", std::to_string(row.id)}, {"delivery", row.delivery}}};
    if (auto added = journal_.add(event); !added) return added;
  }
  return take_away(*rows);
}

Result<std::int64_t> LetterTable::purge(const std::vector<LetterId>& letters, WallTime now) {
  std::map<std::int64_t, std::int64_t> counts;  // by job
  std::int64_t purged = 0;
  for (const LetterId id : letters) {
    auto row = find(id);
    if (!row) return std::move(row).error();
    if (!*row) continue;
    if (auto gone = delete_.run(id); !gone) return std::move(gone).error();
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

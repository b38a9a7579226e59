#include "store/sqlite/tables/in_flight_dead_letters.hpp"

#include <string>
#include <vector>

namespace heddle::store {

namespace {

// Neither done, skipped nor dead; a task that salvage could not save has no outcome either.
const std::string kUnfinished =  // NOLINT(cert-err58-cpp): cannot throw in practice
    " FROM letters_in_hand h LEFT JOIN tasks t ON t.run = h.run AND t.number = h.task"
    " WHERE h.run = ? AND coalesce(t.state, 0) IN (0, 1, 2)";

}  // namespace

InFlightDeadLetters::InFlightDeadLetters(Connection& db, JournalTable& journal)
    : journal_(journal),
      assign_(db,
              "INSERT INTO letters_in_hand (run, task, id, job, died_in, died_as, payload,"
              " error_kind, error, attempts, first_failed_at, last_failed_at, slot)"
              " SELECT ?2, ?3, id, job, run, task, payload, error_kind, error, attempts,"
              " first_failed_at, last_failed_at, slot FROM dead_letters WHERE id = ?1"
              " ON CONFLICT DO UPDATE SET attempts = attempts + excluded.attempts,"
              " first_failed_at = min(first_failed_at, excluded.first_failed_at)"),
      drop_(db, "DELETE FROM dead_letters WHERE id = ?"),
      previous_(db,
                "SELECT attempts, first_failed_at FROM letters_in_hand WHERE run = ? AND task = ?"),
      any_(db, "SELECT 1 FROM letters_in_hand WHERE run = ? LIMIT 1"),
      unfinished_(db, "SELECT h.id, h.job, h.payload" + kUnfinished),
      // A failed attempt counts even when a retry was scheduled.
      restore_(db,
               "INSERT INTO dead_letters (id, origin, job, run, task, payload, error_kind, error,"
               " attempts, first_failed_at, last_failed_at, slot)"
               " SELECT h.id, 'page', h.job, h.died_in, h.died_as, h.payload,"
               " coalesce(t.error_kind, h.error_kind), coalesce(t.error, h.error),"
               " h.attempts + coalesce(t.attempt, 1) - 1, h.first_failed_at,"
               " max(h.last_failed_at, coalesce(t.first_failed_at, 0)), h.slot" +
                   kUnfinished),
      clear_(db, "DELETE FROM letters_in_hand WHERE run = ?") {}

Status InFlightDeadLetters::assign(DeadLetterId dead_letter, std::int64_t run, std::int64_t task) {
  if (auto assigned = assign_.run(dead_letter, run, task); !assigned) return assigned;
  return drop_.run(dead_letter);
}

Result<std::optional<InFlightDeadLetters::PreviousAttempts>> InFlightDeadLetters::previous_attempts(
    std::int64_t run, std::int64_t task) {
  auto rows = previous_.query(run, task);
  auto found = rows.next();
  if (!found) return std::move(found).error();
  if (!*found) return std::optional<PreviousAttempts>();
  return std::optional<PreviousAttempts>(PreviousAttempts{rows.integer(0), rows.integer(1)});
}

Status InFlightDeadLetters::restore_unfinished(std::int64_t run, std::string_view run_id,
                                               WallTime now) {
  {
    auto rows = any_.query(run);
    auto found = rows.next();
    if (!found) return std::move(found).error();
    if (!*found) return Done{};  // as for most runs
  }
  if (auto reported = report_unfinished(run, run_id, now); !reported) return reported;
  if (auto restored = restore_.run(run); !restored) return restored;
  return clear_.run(run);
}

Status InFlightDeadLetters::report_unfinished(std::int64_t run, std::string_view run_id,
                                              WallTime now) {
  struct Row {
    DeadLetterId id = 0;
    std::int64_t job = 0;
    std::string url;
  };
  std::vector<Row> unfinished;
  {
    auto rows = unfinished_.query(run);
    while (true) {
      auto more = rows.next();
      if (!more) return std::move(more).error();
      if (!*more) break;
      unfinished.push_back({rows.integer(0), rows.integer(1), std::string(rows.text(2))});
    }
  }
  for (const Row& row : unfinished) {
    const EventRow event{.at = now,
                         .kind = "page.not_retried",
                         .job = row.job,
                         .run = run_id,
                         .data = {{"letter", std::to_string(row.id)}, {"url", row.url}}};
    if (auto added = journal_.add(event); !added) return added;
  }
  return Done{};
}

}  // namespace heddle::store

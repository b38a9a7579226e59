#include "store/sqlite/letters_in_hand.hpp"

#include <string>
#include <vector>

namespace heddle::store {

namespace {

// Neither done, skipped nor dead; a task that doctor could not save has no outcome either.
const std::string kUnfinished =  // NOLINT(cert-err58-cpp): cannot throw in practice
    " FROM letters_in_hand h LEFT JOIN tasks t ON t.run = h.run AND t.number = h.task"
    " WHERE h.run = ? AND coalesce(t.state, 0) IN (0, 1, 2)";

}  // namespace

LettersInHand::LettersInHand(Connection& db, JournalTable& journal)
    : journal_(journal),
      take_(db,
            "INSERT INTO letters_in_hand (run, task, id, job, died_in, died_as, payload,"
            " error_kind, error, attempts, first_failed_at, last_failed_at, slot)"
            " SELECT ?2, ?3, id, job, run, task, payload, error_kind, error, attempts,"
            " first_failed_at, last_failed_at, slot FROM dead_letters WHERE id = ?1"
            " ON CONFLICT DO UPDATE SET attempts = attempts + excluded.attempts,"
            " first_failed_at = min(first_failed_at, excluded.first_failed_at)"),
      drop_(db, "DELETE FROM dead_letters WHERE id = ?"),
      past_(db, "SELECT attempts, first_failed_at FROM letters_in_hand WHERE run = ? AND task = ?"),
      any_(db, "SELECT 1 FROM letters_in_hand WHERE run = ? LIMIT 1"),
      unfinished_(db, "SELECT h.id, h.job, h.payload" + kUnfinished),
      // A try that failed counts, also when the page was to be tried again.
      give_back_(db,
                 "INSERT INTO dead_letters (id, origin, job, run, task, payload, error_kind, error,"
                 " attempts, first_failed_at, last_failed_at, slot)"
                 " SELECT h.id, 'page', h.job, h.died_in, h.died_as, h.payload,"
                 " coalesce(t.error_kind, h.error_kind), coalesce(t.error, h.error),"
                 " h.attempts + coalesce(t.attempt, 1) - 1, h.first_failed_at,"
                 " max(h.last_failed_at, coalesce(t.first_failed_at, 0)), h.slot" +
                     kUnfinished),
      forget_(db, "DELETE FROM letters_in_hand WHERE run = ?") {}

Status LettersInHand::take(LetterId letter, std::int64_t run, std::int64_t task) {
  if (auto taken = take_.run(letter, run, task); !taken) return taken;
  return drop_.run(letter);
}

Result<std::optional<LettersInHand::Past>> LettersInHand::past_of(std::int64_t run,
                                                                  std::int64_t task) {
  auto rows = past_.query(run, task);
  auto found = rows.next();
  if (!found) return std::move(found).error();
  if (!*found) return std::optional<Past>();
  return std::optional<Past>(Past{rows.integer(0), rows.integer(1)});
}

Status LettersInHand::give_back(std::int64_t run, std::string_view run_id, WallTime now) {
  {
    auto rows = any_.query(run);
    auto found = rows.next();
    if (!found) return std::move(found).error();
    if (!*found) return Done{};  // as of most runs
  }
  if (auto told = tell_unfinished(run, run_id, now); !told) return told;
  if (auto given = give_back_.run(run); !given) return given;
  return forget_.run(run);
}

Status LettersInHand::tell_unfinished(std::int64_t run, std::string_view run_id, WallTime now) {
  struct Row {
    LetterId id = 0;
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

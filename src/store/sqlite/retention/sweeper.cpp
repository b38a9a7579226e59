#include "store/sqlite/retention/sweeper.hpp"

namespace heddle::store {

// Every query selects (id, time, bytes) of rows after an id, oldest first, because ids grow with
// time. When a whole batch contains nothing old the rest is newer; a few rows with a wrong time
// (the clock was set) do not end the sweep.
Sweeper::Sweeper(Connection& db, RunRemover& runs, VersionRemover& versions)
    : runs_(runs),
      versions_(versions),
      // Skips pinned versions, usually almost all of them.
      old_versions_(db,
                    "SELECT id, at, 0, page, content FROM versions INDEXED BY versions_between"
                    " WHERE is_between = 1 AND id > ? ORDER BY id LIMIT 64"),
      // An unfinished run has the age of its start and is kept. The newest run is kept too: its
      // number must not be reused.
      old_runs_(db,
                "SELECT number, coalesce(ended_at, started_at), 0 FROM runs WHERE number > ?"
                " AND number < (SELECT max(number) FROM runs) ORDER BY number LIMIT 64"),
      // Jumps from run to run, past all traces in between.
      old_traces_(db,
                  "WITH RECURSIVE next (run) AS (SELECT min(run) FROM traces WHERE run > ?"
                  " UNION ALL SELECT (SELECT min(run) FROM traces t WHERE t.run > next.run)"
                  " FROM next WHERE next.run IS NOT NULL LIMIT 32)"
                  " SELECT next.run, coalesce(r.ended_at, r.started_at, 0), 0 FROM next"
                  " LEFT JOIN runs r ON r.number = next.run WHERE next.run IS NOT NULL"
                  " ORDER BY next.run"),
      old_events_(db,
                  "SELECT id, at, length(kind) + coalesce(length(run), 0) +"
                  " coalesce(length(data), 0) + 40 FROM events WHERE id > ? ORDER BY id LIMIT 64"),
      old_messages_(db,
                    "SELECT number, coalesce(ended_at, created_at), length(payload) + 150"
                    " FROM outbox WHERE number > ? ORDER BY number LIMIT 64"),
      old_prices_(db, "SELECT id, at, 110 FROM prices WHERE id > ? ORDER BY id LIMIT 64"),
      old_dead_letters_(db,
                        "SELECT id, last_failed_at, length(payload) + length(error) + 150"
                        " FROM dead_letters WHERE id > ? ORDER BY id LIMIT 64"),
      run_ended_at_(db, "SELECT ended_at FROM runs WHERE number = ?"),
      delete_event_(db, "DELETE FROM events WHERE id = ?"),
      // A dead message can be resent as long as its dead letter exists.
      delete_message_(db,
                      "DELETE FROM outbox WHERE number = ? AND (state = 1 OR (state = 2 AND NOT"
                      " EXISTS (SELECT 1 FROM dead_letters d WHERE d.delivery = outbox.id)))"),
      add_to_price_day_(db,
                        "INSERT INTO price_days SELECT job, coalesce(item, 0), coalesce(page, 0),"
                        " field, coalesce(currency, ''), ?2, 1, amount_number, amount_number,"
                        " amount_number FROM prices WHERE id = ?1 AND amount_number IS NOT NULL"
                        " ON CONFLICT DO UPDATE SET lowest = min(lowest, excluded.lowest),"
                        " highest = max(highest, excluded.highest),"
                        " average = average + (excluded.average - average) / (points + 1),"
                        " points = points + 1"),
      delete_price_(db, "DELETE FROM prices WHERE id = ?"),
      delete_message_of_dead_letter_(db,
                                     "DELETE FROM outbox WHERE state = 2 AND id ="
                                     " (SELECT delivery FROM dead_letters WHERE id = ?)"),
      delete_dead_letter_(db, "DELETE FROM dead_letters WHERE id = ?") {}

Result<SweepBatch> Sweeper::sweep(const SweepRequest& request, const BatchDeadline& deadline) {
  SweepBatch batch{.removed = 0, .bytes = 0, .after = request.after, .is_last = false};
  while (true) {
    auto rows = select_old(request.what, batch.after);
    if (!rows) return std::move(rows).error();
    bool has_old = false;
    for (const OldRow& row : *rows) {
      const bool is_expired = row.at < request.before || batch.bytes < request.excess;
      const bool may_go = is_expired && row.at < request.kept_from;
      if (may_go) {
        has_old = true;
        auto removed = remove(request, row, deadline);
        if (!removed) return std::move(removed).error();
        batch.bytes += removed->bytes;
        if (removed->is_interrupted) return batch;
        if (removed->is_gone) ++batch.removed;
      }
      batch.after = row.id;
      // Checked after the first row, so that every batch makes progress.
      if (deadline.has_passed()) return batch;
    }
    batch.is_last = !has_old;
    if (batch.is_last) return batch;
  }
}

Statement& Sweeper::select_for(HistoryClass what) {
  switch (what) {
    case HistoryClass::versions:
      return old_versions_;
    case HistoryClass::runs:
      return old_runs_;
    case HistoryClass::traces:
      return old_traces_;
    case HistoryClass::messages:
      return old_messages_;
    case HistoryClass::prices:
      return old_prices_;
    case HistoryClass::dead_letters:
      return old_dead_letters_;
    case HistoryClass::events:
      break;
  }
  return old_events_;
}

Result<std::vector<Sweeper::OldRow>> Sweeper::select_old(HistoryClass what, std::int64_t after) {
  std::vector<OldRow> found;
  auto rows = select_for(what).query(after);
  while (true) {
    auto more = rows.next();
    if (!more) return std::move(more).error();
    if (!*more) return found;
    OldRow row{.id = rows.integer(0), .at = rows.time(1), .bytes = rows.integer(2)};
    if (what == HistoryClass::versions) {
      row.page = rows.integer(3);
      row.content = rows.integer(4);
    }
    found.push_back(row);
  }
}

Result<Sweeper::Removed> Sweeper::remove(const SweepRequest& request, const OldRow& row,
                                         const BatchDeadline& deadline) {
  switch (request.what) {
    case HistoryClass::versions:
      return remove_version(row);
    case HistoryClass::runs:
      return remove_run(request, row, deadline);
    case HistoryClass::traces:
      return remove_traces(row, deadline);
    case HistoryClass::messages:
      return remove_message(row);
    case HistoryClass::prices:
      return remove_price(request, row);
    case HistoryClass::dead_letters:
      return remove_dead_letter(row);
    case HistoryClass::events:
      break;
  }
  if (auto done = delete_event_.run(row.id); !done) return std::move(done).error();
  return Removed{.is_gone = true, .bytes = row.bytes};
}

Result<Sweeper::Removed> Sweeper::remove_version(const OldRow& row) {
  auto may_go = versions_.is_between_others(row.id, row.page);
  if (!may_go) return std::move(may_go).error();
  if (!*may_go) return Removed{};
  auto bytes = versions_.remove(row.id, row.content);
  if (!bytes) return std::move(bytes).error();
  return Removed{.is_gone = true, .bytes = *bytes};
}

Result<Sweeper::Removed> Sweeper::remove_run(const SweepRequest& request, const OldRow& row,
                                             const BatchDeadline& deadline) {
  {
    auto rows = run_ended_at_.query(row.id);
    auto found = rows.next();
    if (!found) return std::move(found).error();
    if (!*found || rows.is_null(0)) return Removed{};
  }
  auto is_empty = runs_.remove_parts(row.id, deadline);
  if (!is_empty) return std::move(is_empty).error();
  if (!*is_empty) return Removed{.is_interrupted = true, .bytes = runs_.take_bytes()};
  auto done = runs_.remove_into_day(row.id, request.day_of(row.at));
  if (!done) return std::move(done).error();
  return Removed{.is_gone = true, .bytes = runs_.take_bytes()};
}

Result<Sweeper::Removed> Sweeper::remove_traces(const OldRow& row, const BatchDeadline& deadline) {
  {
    auto rows = run_ended_at_.query(row.id);
    auto found = rows.next();
    if (!found) return std::move(found).error();
    if (*found && rows.is_null(0)) return Removed{};
  }
  auto is_empty = runs_.remove_traces(row.id, deadline);
  if (!is_empty) return std::move(is_empty).error();
  return Removed{.is_gone = *is_empty, .is_interrupted = !*is_empty, .bytes = runs_.take_bytes()};
}

Result<Sweeper::Removed> Sweeper::remove_message(const OldRow& row) {
  auto gone = delete_message_.change(row.id);
  if (!gone) return std::move(gone).error();
  return Removed{.is_gone = *gone > 0, .bytes = *gone > 0 ? row.bytes : 0};
}

Result<Sweeper::Removed> Sweeper::remove_price(const SweepRequest& request, const OldRow& row) {
  if (auto added = add_to_price_day_.run(row.id, request.day_of(row.at)); !added)
    return std::move(added).error();
  if (auto done = delete_price_.run(row.id); !done) return std::move(done).error();
  return Removed{.is_gone = true, .bytes = row.bytes};
}

Result<Sweeper::Removed> Sweeper::remove_dead_letter(const OldRow& row) {
  if (auto done = delete_message_of_dead_letter_.run(row.id); !done) return std::move(done).error();
  if (auto done = delete_dead_letter_.run(row.id); !done) return std::move(done).error();
  return Removed{.is_gone = true, .bytes = row.bytes};
}

}  // namespace heddle::store

#include "store/sqlite/sweeper.hpp"

namespace heddle::store {

// Every query gives (id, when, bytes) of rows behind an id, oldest first: ids grow with time. As
// soon as a whole look finds nothing old the rest is younger; a few rows with a wrong time (the
// clock was set) do not end it.
Sweeper::Sweeper(Connection& db, RunRemover& runs, VersionRemover& versions)
    : runs_(runs),
      versions_(versions),
      // Those that are pinned, mostly all there are, are not even looked at.
      old_versions_(db,
                    "SELECT id, at, 0, page, content FROM versions INDEXED BY versions_between"
                    " WHERE is_between = 1 AND id > ? ORDER BY id LIMIT 64"),
      // One that has not ended is as old as its begin, and stays. The newest stays, too: its number
      // must not be given away again.
      old_runs_(db,
                "SELECT number, coalesce(ended_at, started_at), 0 FROM runs WHERE number > ?"
                " AND number < (SELECT max(number) FROM runs) ORDER BY number LIMIT 64"),
      // From run to run, past all the traces in between.
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
      old_letters_(db,
                   "SELECT id, last_failed_at, length(payload) + length(error) + 150"
                   " FROM dead_letters WHERE id > ? ORDER BY id LIMIT 64"),
      run_ended_at_(db, "SELECT ended_at FROM runs WHERE number = ?"),
      delete_event_(db, "DELETE FROM events WHERE id = ?"),
      // What was given up can be sent again as long as its dead letter is there.
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
      delete_message_of_letter_(db,
                                "DELETE FROM outbox WHERE state = 2 AND id ="
                                " (SELECT delivery FROM dead_letters WHERE id = ?)"),
      delete_letter_(db, "DELETE FROM dead_letters WHERE id = ?") {}

Result<SweptPiece> Sweeper::sweep(const SweepOrder& order, const PieceTime& time) {
  SweptPiece piece{.removed = 0, .bytes = 0, .after = order.after, .is_last = false};
  while (true) {
    auto rows = look(order.what, piece.after);
    if (!rows) return std::move(rows).error();
    bool has_old = false;
    for (const Old& row : *rows) {
      const bool is_unwanted = row.at < order.before || piece.bytes < order.excess;
      const bool may_go = is_unwanted && row.at < order.kept_from;
      if (may_go) {
        has_old = true;
        auto removed = remove(order, row, time);
        if (!removed) return std::move(removed).error();
        piece.bytes += removed->bytes;
        if (removed->is_interrupted) return piece;
        if (removed->is_gone) ++piece.removed;
      }
      piece.after = row.id;
      if (time.is_up()) return piece;  // not before the first: every piece gets on
    }
    piece.is_last = !has_old;
    if (piece.is_last) return piece;
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
      return old_letters_;
    case HistoryClass::events:
      break;
  }
  return old_events_;
}

Result<std::vector<Sweeper::Old>> Sweeper::look(HistoryClass what, std::int64_t after) {
  std::vector<Old> found;
  auto rows = select_for(what).query(after);
  while (true) {
    auto more = rows.next();
    if (!more) return std::move(more).error();
    if (!*more) return found;
    Old row{.id = rows.integer(0), .at = rows.time(1), .bytes = rows.integer(2)};
    if (what == HistoryClass::versions) {
      row.page = rows.integer(3);
      row.content = rows.integer(4);
    }
    found.push_back(row);
  }
}

Result<Sweeper::Removed> Sweeper::remove(const SweepOrder& order, const Old& row,
                                         const PieceTime& time) {
  switch (order.what) {
    case HistoryClass::versions:
      return remove_version(row);
    case HistoryClass::runs:
      return remove_run(order, row, time);
    case HistoryClass::traces:
      return remove_traces(row, time);
    case HistoryClass::messages:
      return remove_message(row);
    case HistoryClass::prices:
      return remove_price(order, row);
    case HistoryClass::dead_letters:
      return remove_letter(row);
    case HistoryClass::events:
      break;
  }
  if (auto done = delete_event_.run(row.id); !done) return std::move(done).error();
  return Removed{.is_gone = true, .bytes = row.bytes};
}

Result<Sweeper::Removed> Sweeper::remove_version(const Old& row) {
  auto may_go = versions_.is_between_others(row.id, row.page);
  if (!may_go) return std::move(may_go).error();
  if (!*may_go) return Removed{};
  auto bytes = versions_.remove(row.id, row.content);
  if (!bytes) return std::move(bytes).error();
  return Removed{.is_gone = true, .bytes = *bytes};
}

Result<Sweeper::Removed> Sweeper::remove_run(const SweepOrder& order, const Old& row,
                                             const PieceTime& time) {
  {
    auto rows = run_ended_at_.query(row.id);
    auto found = rows.next();
    if (!found) return std::move(found).error();
    if (!*found || rows.is_null(0)) return Removed{};
  }
  auto is_empty = runs_.remove_parts(row.id, time);
  if (!is_empty) return std::move(is_empty).error();
  if (!*is_empty) return Removed{.is_interrupted = true, .bytes = runs_.take_bytes()};
  auto done = runs_.remove_into_day(row.id, order.day_of(row.at));
  if (!done) return std::move(done).error();
  return Removed{.is_gone = true, .bytes = runs_.take_bytes()};
}

Result<Sweeper::Removed> Sweeper::remove_traces(const Old& row, const PieceTime& time) {
  {
    auto rows = run_ended_at_.query(row.id);
    auto found = rows.next();
    if (!found) return std::move(found).error();
    if (*found && rows.is_null(0)) return Removed{};
  }
  auto is_empty = runs_.remove_traces(row.id, time);
  if (!is_empty) return std::move(is_empty).error();
  return Removed{.is_gone = *is_empty, .is_interrupted = !*is_empty, .bytes = runs_.take_bytes()};
}

Result<Sweeper::Removed> Sweeper::remove_message(const Old& row) {
  auto gone = delete_message_.change(row.id);
  if (!gone) return std::move(gone).error();
  return Removed{.is_gone = *gone > 0, .bytes = *gone > 0 ? row.bytes : 0};
}

Result<Sweeper::Removed> Sweeper::remove_price(const SweepOrder& order, const Old& row) {
  if (auto added = add_to_price_day_.run(row.id, order.day_of(row.at)); !added)
    return std::move(added).error();
  if (auto done = delete_price_.run(row.id); !done) return std::move(done).error();
  return Removed{.is_gone = true, .bytes = row.bytes};
}

Result<Sweeper::Removed> Sweeper::remove_letter(const Old& row) {
  if (auto done = delete_message_of_letter_.run(row.id); !done) return std::move(done).error();
  if (auto done = delete_letter_.run(row.id); !done) return std::move(done).error();
  return Removed{.is_gone = true, .bytes = row.bytes};
}

}  // namespace heddle::store

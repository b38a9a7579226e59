#include "store/sqlite/retention/history_sizes.hpp"

#include <string>

namespace heddle::store {

namespace {

// Selects (last id of the batch or NULL, its bytes).
std::string batch_query(const char* id, const char* bytes, const char* table) {
  return std::string("SELECT max(n), sum(b) FROM (SELECT ") + id + " n, " + bytes + " b FROM " +
         table + " WHERE " + id + " > ? ORDER BY " + id + " LIMIT 1000)";
}

}  // namespace

// Same estimates as in Sweeper and the removers: the removed bytes must add up to the measured
// ones.
HistorySizes::HistorySizes(Connection& db)
    : versions_(db, batch_query("id", "length(zstd) + 60", "contents")),
      runs_(db,
            "SELECT max(n), sum(250 + (SELECT coalesce(sum(length(url) +"
            " coalesce(length(error), 0) + 40), 0) FROM tasks WHERE run = n))"
            " FROM (SELECT number n FROM runs WHERE number > ? ORDER BY number LIMIT 20)"),
      traces_(db,
              "SELECT max(run), sum(length(trace) + 20) FROM traces WHERE run >="
              " (SELECT min(run) FROM traces WHERE run > ?1) AND run <"
              " 20 + (SELECT min(run) FROM traces WHERE run > ?1)"),
      events_(db,
              batch_query(
                  "id", "length(kind) + coalesce(length(run), 0) + coalesce(length(data), 0) + 40",
                  "events")),
      messages_(db,
                "SELECT max(n), sum(b) FROM (SELECT number n, CASE state WHEN 0 THEN 0 ELSE"
                " length(payload) + 150 END b FROM outbox WHERE number > ?"
                " ORDER BY number LIMIT 1000)"),
      prices_(db, batch_query("id", "110", "prices")),
      dead_letters_(db,
                    batch_query("id", "length(payload) + length(error) + 150", "dead_letters")) {}

Statement& HistorySizes::statement_for(HistoryClass what) {
  switch (what) {
    case HistoryClass::versions:
      return versions_;
    case HistoryClass::runs:
      return runs_;
    case HistoryClass::traces:
      return traces_;
    case HistoryClass::messages:
      return messages_;
    case HistoryClass::prices:
      return prices_;
    case HistoryClass::dead_letters:
      return dead_letters_;
    case HistoryClass::events:
      break;
  }
  return events_;
}

Result<MeasuredBatch> HistorySizes::measure(HistoryClass what, std::int64_t after) {
  auto rows = statement_for(what).query(after);
  auto found = rows.next();
  if (!found) return std::move(found).error();
  if (!*found || rows.is_null(0)) return MeasuredBatch{.bytes = 0, .after = after};
  return MeasuredBatch{.bytes = rows.integer(1), .after = rows.integer(0), .is_last = false};
}

}  // namespace heddle::store

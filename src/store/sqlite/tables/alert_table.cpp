#include "store/sqlite/tables/alert_table.hpp"

#include <utility>

namespace heddle::store {

AlertTable::AlertTable(Connection& db, JournalTable& journal)
    : journal_(journal),
      put_(db, "INSERT OR REPLACE INTO alerts (key, level, text, since) VALUES (?, ?, ?, ?)"),
      remove_(db, "DELETE FROM alerts WHERE key = ?") {}

Status AlertTable::change(const AlertChange& change) {
  const SystemAlert& alert = change.alert;
  auto written = change.is_over
                     ? remove_.run(alert.key)
                     : put_.run(alert.key, to_text(alert.level), alert.text, alert.since);
  if (!written || !change.event) return written;
  const JobEvent& event = *change.event;
  EventRow row{.at = event.at, .kind = event.kind, .job = {}, .run = {}, .data = {}};
  for (const auto& [name, value] : event.data) row.data.push_back({name, value});
  return journal_.add(row);
}

AlertRows::AlertRows(Connection& db)
    : select_(db, "SELECT key, level, text, since FROM alerts ORDER BY key") {}

Result<std::vector<SystemAlert>> AlertRows::all() {
  std::vector<SystemAlert> alerts;
  auto rows = select_.query();
  while (true) {
    auto more = rows.next();
    if (!more) return std::move(more).error();
    if (!*more) return alerts;
    SystemAlert& alert = alerts.emplace_back();
    alert.key = rows.text(0);
    alert.level = alert_level_from(rows.text(1)).value_or(AlertLevel::warning);
    alert.text = rows.text(2);
    alert.since = rows.time(3);
  }
}

}  // namespace heddle::store

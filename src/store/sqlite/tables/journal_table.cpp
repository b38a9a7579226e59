#include "store/sqlite/tables/journal_table.hpp"

#include "store/sqlite/tables/json_text.hpp"

namespace heddle::store {

JournalTable::JournalTable(Connection& db)
    : insert_event_(db, "INSERT INTO events (at, kind, job, run, data) VALUES (?, ?, ?, ?, ?)"),
      insert_dead_letter_(db,
                          "INSERT INTO dead_letters (id, origin, job, run, task, delivery, payload,"
                          " error_kind, error, attempts, first_failed_at, last_failed_at, slot)"
                          " VALUES ((SELECT 1 + max("
                          "   coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0),"
                          "   coalesce((SELECT max(id) FROM dead_letters), 0))),"
                          " ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)") {}

Status JournalTable::add(const EventRow& event) {
  std::string data;
  append_json_object(data, event.data);
  return insert_event_.run(event.at, event.kind, event.job, event.run, data);
}

// A dead letter takes the number of the event added with it, which no later event gets: a page that
// fails again has another number, so a purge by the old number cannot hit it. Only a page that its
// retry run did not reach gets its old number back.
Status JournalTable::add(const DeadLetterEntry& entry) {
  std::optional<std::string> slot;
  if (entry.slot) slot = std::to_string(*entry.slot);
  return insert_dead_letter_.run(entry.origin, entry.job, entry.run, entry.task, entry.delivery,
                                 entry.payload, entry.error_kind, entry.error, entry.attempts,
                                 entry.first_failed_at, entry.last_failed_at, slot);
}

}  // namespace heddle::store

#include "store/sqlite/journal_table.hpp"

#include "store/sqlite/json_text.hpp"

namespace heddle::store {

JournalTable::JournalTable(Connection& db)
    : insert_event_(db, "INSERT INTO events (at, kind, job, run, data) VALUES (?, ?, ?, ?, ?)"),
      insert_letter_(db,
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

// Each comes with an event and takes that one's number, which no event after it gets: a letter that
// is tried again and dies again has another number, and nobody purges it by the old one. Only one
// whose page was not come to has its number again.
Status JournalTable::add(const LetterRow& letter) {
  std::optional<std::string> slot;
  if (letter.slot) slot = std::to_string(*letter.slot);
  return insert_letter_.run(letter.origin, letter.job, letter.run, letter.task, letter.delivery,
                            letter.payload, letter.error_kind, letter.error, letter.attempts,
                            letter.first_failed_at, letter.last_failed_at, slot);
}

}  // namespace heddle::store

#include "store/sqlite/journal_table.hpp"

#include "store/sqlite/json_text.hpp"

namespace heddle::store {

JournalTable::JournalTable(Connection& db)
    : insert_event_(db, "INSERT INTO events (at, kind, job, run, data) VALUES (?, ?, ?, ?, ?)"),
      insert_letter_(db,
                     "INSERT INTO dead_letters (origin, job, run, task, delivery, payload,"
                     " error_kind, error, attempts, first_failed_at, last_failed_at)"
                     " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)") {}

Status JournalTable::add(const EventRow& event) {
  std::string data;
  append_json_object(data, event.data);
  return insert_event_.run(event.at, event.kind, event.job, event.run, data);
}

Status JournalTable::add(const LetterRow& letter) {
  return insert_letter_.run(letter.origin, letter.job, letter.run, letter.task, letter.delivery,
                            letter.payload, letter.error_kind, letter.error, letter.attempts,
                            letter.first_failed_at, letter.last_failed_at);
}

}  // namespace heddle::store

#include "store/sqlite/tables/note_table.hpp"

namespace heddle::store {

Result<std::optional<std::string>> NoteRows::find(const std::string& name) {
  auto rows = select_.query(name);
  auto found = rows.next();
  if (!found) return std::move(found).error();
  if (!*found) return std::optional<std::string>();
  return std::optional(std::string(rows.text(0)));
}

NoteTable::NoteTable(Connection& db, JournalTable& journal)
    : journal_(journal), put_(db, "INSERT OR REPLACE INTO notes (name, value) VALUES (?, ?)") {}

Status NoteTable::put(const Note& note, WallTime now) {
  if (auto done = put_.run(note.name, note.value); !done) return done;
  if (note.event.empty()) return Done{};
  EventRow event{.at = now, .kind = note.event, .job = {}, .run = {}, .data = {}};
  for (const auto& [name, value] : note.event_data) event.data.push_back({name, value});
  return journal_.add(event);
}

}  // namespace heddle::store

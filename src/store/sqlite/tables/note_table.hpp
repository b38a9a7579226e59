// Stores named values of the whole project. Same thread as its connection.
#pragma once

#include <optional>
#include <string>

#include "base/result.hpp"
#include "store/history.hpp"
#include "store/sqlite/core/statement.hpp"
#include "store/sqlite/tables/journal_table.hpp"

namespace heddle::store {

class NoteRows {
 public:
  explicit NoteRows(Connection& db) : select_(db, "SELECT value FROM notes WHERE name = ?") {}

  Result<std::optional<std::string>> find(const std::string& name);

 private:
  Statement select_;
};

class NoteTable {
 public:
  NoteTable(Connection& db, JournalTable& journal);

  Status put(const Note& note, WallTime now);

 private:
  JournalTable& journal_;
  Statement put_;
};

}  // namespace heddle::store

// Stores the raised alerts together with their events. Same thread as its connection.
#pragma once

#include <vector>

#include "base/result.hpp"
#include "model/notify/system_alert.hpp"
#include "store/sqlite/core/statement.hpp"
#include "store/sqlite/tables/journal_table.hpp"

namespace heddle::store {

class AlertTable {
 public:
  AlertTable(Connection& db, JournalTable& journal);
  Status change(const AlertChange& change);

 private:
  JournalTable& journal_;
  Statement put_;
  Statement remove_;
};

class AlertRows {
 public:
  explicit AlertRows(Connection& db);
  Result<std::vector<SystemAlert>> all();  // ordered by key

 private:
  Statement select_;
};

}  // namespace heddle::store

// Copies the readable rows of one table of a damaged database. Blocks.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "store/sqlite/core/connection.hpp"
#include "store/sqlite/repair/salvage.hpp"

namespace heddle::store {

struct TableShape {
  std::string name;
  std::vector<std::string> columns;
  std::vector<std::string> key;  // of a WITHOUT ROWID table
};

inline bool is_damage(const Error& error) {
  return error.code == ErrorCode::corrupt;
}

// Both databases must have the table; the new one is empty.
Result<SavedTable> copy_table(Connection& from, Connection& to, const TableShape& table);

}  // namespace heddle::store

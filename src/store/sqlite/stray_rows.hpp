// Rows that speak of others which are not there: left by damage, or by a bug. Blocks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "store/sqlite/connection.hpp"

namespace heddle::store {

struct StrayRows {
  std::string table;
  std::string of;  // the table they speak of
  std::int64_t count = 0;
};

// Empty: all belong together. For a file with today's schema.
Result<std::vector<StrayRows>> find_stray_rows(Connection& db);

}  // namespace heddle::store

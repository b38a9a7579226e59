// Replaces SQLite's text functions whose time grows with the product of both arguments by linear
// ones: SQLite cannot be stopped inside a function, and two texts of 8 MB would block it for hours.
#pragma once

#include <sqlite3.h>

#include "base/result.hpp"

namespace heddle::store {

// Replaces instr, replace, and trim, ltrim, rtrim of two arguments, with the same results. printf,
// format and json_patch refuse arguments that would take long and otherwise call SQLite's own.
Status add_linear_functions(sqlite3* db);

}  // namespace heddle::store

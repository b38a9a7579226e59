// SQLite's text functions whose time grows with the product of both arguments, made linear: SQLite
// cannot be stopped inside a function, and two texts of 8 MB would hold it for hours.
#pragma once

#include <sqlite3.h>

#include "base/result.hpp"

namespace heddle::store {

// Replaces instr, replace, and trim, ltrim, rtrim of two arguments; they give the same answers.
// printf, format and json_patch refuse what would take long and are SQLite's own otherwise.
Status add_linear_functions(sqlite3* db);

}  // namespace heddle::store

// Binds a script's values to its statement and reads them back.
#pragma once

#include <string_view>

#include <sqlite3.h>

#include "base/result.hpp"
#include "store/scripts/sql_value.hpp"

namespace heddle::store {

// Names and counts that do not match the statement are `bad_input`. The values must outlive the
// statement.
Status bind_params(sqlite3_stmt* statement, const SqlParams& params);

SqlValue column_value(sqlite3_stmt* row, int column);
std::size_t size_of(const SqlValue& value);  // approximate, in memory

// Whether the statement begins with this word, past white space and comments.
bool begins_with_word(std::string_view sql, std::string_view word);
// Whether only white space, comments and semicolons are left.
bool is_blank_sql(std::string_view sql);

}  // namespace heddle::store

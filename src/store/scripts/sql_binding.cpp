#include "store/scripts/sql_binding.hpp"

#include <algorithm>
#include <cctype>
#include <string>

#include <fmt/format.h>

#include "base/quantity.hpp"
#include "base/text.hpp"

namespace heddle::store {

namespace {

constexpr std::string_view kMarks = ":@$";

Error bad(std::string message) {
  return {ErrorCode::bad_input, std::move(message)};
}

struct Binder {
  sqlite3_stmt* statement;
  int index;

  int operator()(std::monostate) const { return sqlite3_bind_null(statement, index); }
  int operator()(bool value) const { return sqlite3_bind_int(statement, index, value ? 1 : 0); }
  int operator()(std::int64_t value) const { return sqlite3_bind_int64(statement, index, value); }
  int operator()(double value) const { return sqlite3_bind_double(statement, index, value); }
  int operator()(const std::string& value) const {
    return is_valid_utf8(value)
               ? sqlite3_bind_text64(statement, index, value.data(), value.size(), SQLITE_STATIC,
                                     SQLITE_UTF8)
               : sqlite3_bind_blob64(statement, index, value.data(), value.size(), SQLITE_STATIC);
  }
};

Status bind(sqlite3_stmt* statement, int index, const SqlValue& value) {
  const int code = std::visit(Binder{statement, index}, value);
  if (code == SQLITE_OK) return Done{};
  if (code == SQLITE_TOOBIG) return bad(fmt::format("value {} is larger than 16 MB", index));
  return Error{ErrorCode::unavailable, sqlite3_errstr(code)};
}

Status bind_positional(sqlite3_stmt* statement, const std::vector<SqlValue>& values) {
  const int wanted = sqlite3_bind_parameter_count(statement);
  if (static_cast<std::size_t>(wanted) != values.size())
    return bad(fmt::format("the statement has {}, {} given{}", counted(wanted, "parameter"),
                           counted(values.size(), "value was", "values were"),
                           static_cast<std::size_t>(wanted) > values.size()
                               ? " (a nil at the end of a table is lost: pass json_null for NULL)"
                               : ""));
  for (int i = 0; i < wanted; ++i)
    if (auto done = bind(statement, i + 1, values[static_cast<std::size_t>(i)]); !done) return done;
  return Done{};
}

std::string_view without_mark(std::string_view name) {
  if (!name.empty() && kMarks.find(name.front()) != std::string_view::npos) name.remove_prefix(1);
  return name;
}

using NamedValues = std::vector<std::pair<std::string, SqlValue>>;

// A Lua table cannot hold nil, so an absent name is NULL. A name that the statement lacks is an
// error.
Status bind_named(sqlite3_stmt* statement, const NamedValues& values) {
  std::vector<bool> is_used(values.size(), false);
  for (int i = 1; i <= sqlite3_bind_parameter_count(statement); ++i) {
    const char* name = sqlite3_bind_parameter_name(statement, i);
    if (name == nullptr || name[0] == '?')
      return bad("the statement has a nameless ?, but the values have names");
    const auto found = std::find_if(values.begin(), values.end(), [&](const auto& value) {
      return without_mark(value.first) == without_mark(name);
    });
    if (found == values.end()) continue;
    is_used[static_cast<std::size_t>(found - values.begin())] = true;
    if (auto done = bind(statement, i, found->second); !done) return done;
  }
  const auto unused = std::find(is_used.begin(), is_used.end(), false);
  if (unused == is_used.end()) return Done{};
  const auto& name = values[static_cast<std::size_t>(unused - is_used.begin())].first;
  return bad(fmt::format("the statement has no parameter :{}", without_mark(name)));
}

std::size_t skip_comment(std::string_view sql, std::string_view end) {
  const std::size_t found = sql.find(end, 2);
  return found == std::string_view::npos ? sql.size() : found + end.size();
}

std::string_view without_leading_blanks(std::string_view sql) {
  while (!sql.empty()) {
    if (std::string_view(" \t\r\n\f;").find(sql.front()) != std::string_view::npos)
      sql.remove_prefix(1);
    else if (sql.starts_with("--"))
      sql.remove_prefix(skip_comment(sql, "\n"));
    else if (sql.starts_with("/*"))
      sql.remove_prefix(skip_comment(sql, "*/"));
    else
      break;
  }
  return sql;
}

}  // namespace

Status bind_params(sqlite3_stmt* statement, const SqlParams& params) {
  if (!params.positional.empty() && !params.named.empty())
    return bad("values are given either in order or by name, not both");
  if (!params.named.empty()) return bind_named(statement, params.named);
  const int wanted = sqlite3_bind_parameter_count(statement);
  const char* first = wanted > 0 ? sqlite3_bind_parameter_name(statement, 1) : nullptr;
  // An empty table is both: if the statement has names, all its values were nil.
  if (params.positional.empty() && first != nullptr && first[0] != '?') return Done{};
  return bind_positional(statement, params.positional);
}

SqlValue column_value(sqlite3_stmt* row, int column) {
  switch (sqlite3_column_type(row, column)) {
    case SQLITE_INTEGER:
      return static_cast<std::int64_t>(sqlite3_column_int64(row, column));
    case SQLITE_FLOAT:
      return sqlite3_column_double(row, column);
    case SQLITE_NULL:
      return std::monostate();
    default:
      break;
  }
  const void* bytes = sqlite3_column_blob(row, column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(row, column));
  return bytes == nullptr ? std::string() : std::string(static_cast<const char*>(bytes), size);
}

std::size_t size_of(const SqlValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  return sizeof value + (text != nullptr ? text->size() : 0);
}

bool begins_with_word(std::string_view sql, std::string_view word) {
  const std::string_view rest = without_leading_blanks(sql);
  if (!equals_ignoring_case(rest.substr(0, word.size()), word)) return false;
  const char next = rest.size() > word.size() ? rest[word.size()] : ' ';
  return std::isalnum(static_cast<unsigned char>(next)) == 0 && next != '_';
}

bool is_blank_sql(std::string_view sql) {
  return without_leading_blanks(sql).empty();
}

}  // namespace heddle::store

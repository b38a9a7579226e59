#include "store/sqlite/repair/table_copy.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>

#include "store/sqlite/core/statement.hpp"

namespace heddle::store {

namespace {

constexpr std::int64_t kLastRow = std::numeric_limits<std::int64_t>::max();

std::string sql_name(std::string_view name) {
  std::string text = "\"";
  for (const char c : name) {
    text += c;
    if (c == '"') text += c;
  }
  return text + '"';
}

// Copies the readable rows of one table from the damaged database.
class TableCopy {
 public:
  TableCopy(Connection& from, Connection& to, const TableShape& table)
      : from_(from), to_(to), table_(table) {
    for (const std::string& column : table.columns)
      columns_ += (columns_.empty() ? "" : ", ") + sql_name(column);
    std::string marks;
    for (std::size_t i = 0; i < table.columns.size() + (has_numbers() ? 1 : 0); ++i)
      marks += marks.empty() ? "?" : ", ?";
    insert_ = "INSERT OR IGNORE INTO " + sql_name(table.name) + " (" +
              (has_numbers() ? "rowid, " : "") + columns_ + ") VALUES (" + marks + ")";
  }

  Result<SavedTable> run() {
    SavedTable saved;
    saved.name = table_.name;
    const auto expected = count(from_);
    auto copied = has_numbers() ? copy_by_number() : copy_by_key();
    if (!copied) return std::move(copied).error();
    const auto copied_rows = count(to_);
    if (!copied_rows) return Error{ErrorCode::bug, "cannot count what was saved of " + table_.name};
    saved.saved = *copied_rows;
    if (expected)
      saved.lost = std::max<std::int64_t>(0, *expected - saved.saved);
    else if (!has_met_damage_)
      saved.lost = 0;
    if (has_met_damage_ && saved.lost == 0) saved.lost.reset();  // the count was wrong too
    return saved;
  }

 private:
  // How a range of rows ended.
  enum class End { no_more, damage };

  [[nodiscard]] bool has_numbers() const { return table_.key.empty(); }

  // Counts through an index where there is one; nullopt when that is damaged too.
  std::optional<std::int64_t> count(Connection& db) {
    auto number = db.query_integer("SELECT count(*) FROM " + sql_name(table_.name));
    return number ? std::optional(*number) : std::nullopt;
  }

  // Copies the rows of this query; `last` is the first column of the last good row.
  Result<End> copy_rows(const std::string& sql, std::optional<std::int64_t> argument,
                        std::int64_t* last) {
    SqliteStatement select;
    SqliteStatement insert;
    if (auto made = prepare(from_, sql, select); !made)
      return is_damage(made.error()) ? Result<End>(met_damage()) : std::move(made).error();
    if (auto made = prepare(to_, insert_, insert); !made) return std::move(made).error();
    if (argument) sqlite3_bind_int64(select.get(), 1, *argument);
    while (true) {
      const int code = sqlite3_step(select.get());
      if (code == SQLITE_DONE) return End::no_more;
      if (code != SQLITE_ROW) {
        Error error = from_.error(code);
        if (!is_damage(error)) return error;
        return met_damage();
      }
      if (last != nullptr) *last = sqlite3_column_int64(select.get(), 0);
      if (auto put = put_row(select.get(), insert.get()); !put) return std::move(put).error();
    }
  }

  Status put_row(sqlite3_stmt* row, sqlite3_stmt* insert) {
    for (int i = 0; i < sqlite3_column_count(row); ++i)
      sqlite3_bind_value(insert, i + 1, sqlite3_column_value(row, i));
    const int code = sqlite3_step(insert);
    sqlite3_reset(insert);
    // A row that violates the table's constraints was damaged too.
    if (code == SQLITE_DONE || (code & 0xFF) == SQLITE_CONSTRAINT) return Done{};
    return to_.error(code);
  }

  End met_damage() {
    has_met_damage_ = true;
    return End::damage;
  }

  static Status prepare(Connection& db, const std::string& sql, SqliteStatement& statement) {
    sqlite3_stmt* raw = nullptr;
    const int code = sqlite3_prepare_v2(db.handle(), sql.c_str(), -1, &raw, nullptr);
    statement.reset(raw);
    if (code != SQLITE_OK) return db.error(code);
    return Done{};
  }

  // A row number leads to its page without reading the others: after a damaged page the next good
  // row is searched in doubling steps, then by bisection.
  Result<Done> copy_by_number() {
    const std::string sql = "SELECT rowid, " + columns_ + " FROM " + sql_name(table_.name) +
                            " NOT INDEXED WHERE rowid >= ? ORDER BY rowid";
    std::int64_t next = std::numeric_limits<std::int64_t>::min();
    while (true) {
      std::int64_t last = next;
      auto end = copy_rows(sql, next, &last);
      if (!end) return std::move(end).error();
      if (*end == End::no_more) return Done{};
      // A damaged page may claim rows that belong elsewhere: never go backwards.
      const auto readable = first_readable_after(std::max<std::int64_t>({last, next, -1}));
      if (!readable) return Done{};
      next = *readable;
    }
  }

  [[nodiscard]] bool is_readable(std::int64_t number) {
    Statement probe(from_, "SELECT rowid, " + columns_ + " FROM " + sql_name(table_.name) +
                               " NOT INDEXED WHERE rowid >= ? ORDER BY rowid LIMIT 1");
    auto rows = probe.query(number);
    return static_cast<bool>(rows.next());
  }

  std::optional<std::int64_t> first_readable_after(std::int64_t number) {
    std::int64_t bad = number;  // reading at or after it fails
    std::int64_t step = 1;
    while (!is_readable(number + step)) {
      bad = number + step;
      if (step > (kLastRow - std::max<std::int64_t>(number, 0)) / 2) return std::nullopt;
      step *= 2;
    }
    std::int64_t good = number + step;
    while (good - bad > 1) {
      const std::int64_t middle = bad + (good - bad) / 2;
      (is_readable(middle) ? good : bad) = middle;
    }
    return good;
  }

  // Such tables are ordered by key: copies from both ends up to the damage, and then each value of
  // the first key column by itself where that is a known range of integers.
  Result<Done> copy_by_key() {
    std::string order;
    std::string backwards;
    for (const std::string& column : table_.key) {
      order += (order.empty() ? "" : ", ") + sql_name(column);
      backwards += (backwards.empty() ? "" : ", ") + sql_name(column) + " DESC";
    }
    const std::string from = "SELECT " + columns_ + " FROM " + sql_name(table_.name);
    auto end = copy_rows(from + " ORDER BY " + order, std::nullopt, nullptr);
    if (!end) return std::move(end).error();
    if (*end == End::no_more) return Done{};
    end = copy_rows(from + " ORDER BY " + backwards, std::nullopt, nullptr);
    if (!end) return std::move(end).error();
    const auto range = first_column_range();
    if (!range) return Done{};
    const std::string one = from + " WHERE " + sql_name(table_.key.front()) + " = ? ORDER BY ";
    for (std::int64_t value = range->first; value <= range->second; ++value)
      for (const std::string& direction : {order, backwards}) {
        end = copy_rows(one + direction, value, nullptr);
        if (!end) return std::move(end).error();
        if (*end == End::no_more) break;
      }
    return Done{};
  }

  // From the last row before the damage to the first after it.
  std::optional<std::pair<std::int64_t, std::int64_t>> first_column_range() {
    const std::string column = sql_name(table_.key.front());
    const std::string where =
        " FROM " + sql_name(table_.name) + " WHERE typeof(" + column + ") = 'integer'";
    auto least = to_.query_integer("SELECT min(" + column + ")" + where);
    auto most = to_.query_integer("SELECT max(" + column + ")" + where);
    if (!least || !most || *most - *least > kMostParts) return std::nullopt;
    return std::pair(*least, *most);
  }

  static constexpr std::int64_t kMostParts = 10'000'000;

  Connection& from_;
  Connection& to_;
  const TableShape& table_;
  std::string columns_;
  std::string insert_;
  bool has_met_damage_ = false;
};

}  // namespace

Result<SavedTable> copy_table(Connection& from, Connection& to, const TableShape& table) {
  return TableCopy(from, to, table).run();
}

}  // namespace heddle::store

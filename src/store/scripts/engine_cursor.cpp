#include "store/scripts/engine_cursor.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

namespace heddle::store {

namespace {

// Parameters: 1 the job's id, 2 its number, 3 and 4 the time range, or 3 the row's id.
constexpr std::array kTables{
    EngineTable{.name = "records",
                .declaration = "CREATE TABLE x (job_id TEXT, rev_ts INTEGER, json TEXT)",
                .select = "SELECT ?1, i.first_seen, i.fields, i.id FROM items i",
                .job = "i.job",
                .time = "i.first_seen",
                .id = "i.id",
                .time_column = 1,
                .id_column = -1},
    EngineTable{.name = "items",
                .declaration =
                    "CREATE TABLE x (id INTEGER, run_id TEXT, url TEXT, first_seen INTEGER,"
                    " last_seen INTEGER, state TEXT, fields TEXT, typed_values TEXT, matches TEXT)",
                .select =
                    "SELECT i.id, r.id, u.url, i.first_seen, i.last_seen, i.gone_at, i.fields,"
                    " i.typed_values, i.matches, i.id FROM items i"
                    " LEFT JOIN runs r ON r.number = i.run LEFT JOIN urls u ON u.id = i.url",
                .job = "i.job",
                .time = "i.first_seen",
                .id = "i.id",
                .time_column = 3,
                .id_column = 0,
                .sighting_column = 4},
    EngineTable{.name = "changes",
                .declaration =
                    "CREATE TABLE x (id INTEGER, run_id TEXT, at INTEGER, url TEXT, item INTEGER,"
                    " kind TEXT, field TEXT, before TEXT, after TEXT, significance INTEGER,"
                    " context TEXT)",
                .select = "SELECT c.id, r.id, c.at, u.url, c.item, c.kind, c.field, c.before,"
                          " c.after, c.significance, c.context, c.id FROM changes c"
                          " LEFT JOIN runs r ON r.number = c.run"
                          " LEFT JOIN pages p ON p.id = c.page LEFT JOIN urls u ON u.id = p.url",
                .job = "c.job",
                .time = "c.at",
                .id = "c.id",
                .time_column = 2,
                .id_column = 0},
    EngineTable{.name = "prices",
                .declaration =
                    "CREATE TABLE x (id INTEGER, at INTEGER, url TEXT, item INTEGER, field TEXT,"
                    " amount TEXT, amount_number REAL, currency TEXT, stock TEXT)",
                .select = "SELECT c.id, c.at, u.url, c.item, c.field, c.amount, c.amount_number,"
                          " c.currency, c.stock, c.id FROM prices c"
                          " LEFT JOIN pages p ON p.id = c.page LEFT JOIN urls u ON u.id = p.url",
                .job = "c.job",
                .time = "c.at",
                .id = "c.id",
                .time_column = 1,
                .id_column = 0},
};

}  // namespace

std::span<const EngineTable> engine_tables() {
  return kTables;
}

const EngineTable* find_engine_table(std::string_view name) {
  const auto found = std::find_if(kTables.begin(), kTables.end(),
                                  [&](const EngineTable& table) { return table.name == name; });
  return found == kTables.end() ? nullptr : &*found;
}

Status EngineCursor::failure() const {
  return Error{ErrorCode::unavailable,
               std::string("reading ") + table_.name + " failed: " + sqlite3_errmsg(db_)};
}

Result<bool> EngineCursor::prepare(Order order) {
  is_at_end_ = true;
  auto view = data_.view();
  if (!view) return std::move(view).error();
  if (!*view) return false;
  db_ = (*view)->db;
  job_ = (*view)->job;
  if (!statement_ || order_ != order) {
    std::string sql = std::string(table_.select) + " WHERE " + table_.job + " = ?2 AND ";
    if (order == Order::one) {
      sql.append(table_.id).append(" = ?3");
    } else {
      const char* direction = order == Order::newest_first ? " DESC" : "";
      sql.append(table_.time).append(" BETWEEN ?3 AND ?4 ORDER BY ").append(table_.time);
      sql.append(direction).append(", ").append(table_.id).append(direction);
    }
    sqlite3_stmt* raw = nullptr;
    const int code = sqlite3_prepare_v2(db_, sql.c_str(), -1, &raw, nullptr);
    statement_.reset(raw);
    if (code != SQLITE_OK) return failure().error();
    order_ = order;
  }
  sqlite3_reset(statement_.get());
  const std::string& id = data_.job().text;
  sqlite3_bind_text64(statement_.get(), 1, id.data(), id.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  sqlite3_bind_int64(statement_.get(), 2, job_);
  return true;
}

Status EngineCursor::start(Range range) {
  auto ready = prepare(range.newest_first ? Order::newest_first : Order::oldest_first);
  if (!ready) return std::move(ready).error();
  if (!*ready) return Done{};
  sqlite3_bind_int64(statement_.get(), 3, range.from);
  sqlite3_bind_int64(statement_.get(), 4, range.to);
  return next();
}

Status EngineCursor::start_at_id(std::int64_t id) {
  auto ready = prepare(Order::one);
  if (!ready) return std::move(ready).error();
  if (!*ready) return Done{};
  sqlite3_bind_int64(statement_.get(), 3, id);
  return next();
}

Status EngineCursor::next() {
  const int code = sqlite3_step(statement_.get());
  is_at_end_ = code != SQLITE_ROW;
  if (code == SQLITE_ROW || code == SQLITE_DONE) return Done{};
  return failure();
}

Status EngineCursor::put_column(sqlite3_context* context, int column) const {
  if (table_.sighting_column >= 0 && column - table_.sighting_column >= 0 &&
      column - table_.sighting_column <= 1)
    return put_sighting(context, column != table_.sighting_column);
  sqlite3_result_value(context, sqlite3_column_value(statement_.get(), column));
  return Done{};
}

std::int64_t EngineCursor::id() const {
  return sqlite3_column_int64(statement_.get(), sqlite3_column_count(statement_.get()) - 1);
}

// As in record_rows.cpp: an item on a page was last seen with that page; a removed item has its own
// time.
Status EngineCursor::put_sighting(sqlite3_context* context, bool is_state) const {
  auto on_page = data_.last_listed(id());
  if (!on_page) return std::move(on_page).error();
  sqlite3_stmt* row = statement_.get();
  const int left = table_.sighting_column;
  const bool has_left = sqlite3_column_type(row, left) != SQLITE_NULL;
  if (is_state) {
    if (sqlite3_column_type(row, left + 1) != SQLITE_NULL) {
      sqlite3_result_text(context, "gone", -1, SQLITE_STATIC);
      return Done{};
    }
    sqlite3_result_text(context, *on_page || !has_left ? "present" : "left", -1, SQLITE_STATIC);
    return Done{};
  }
  const std::int64_t seen = on_page->value_or(sqlite3_column_int64(row, left));
  const std::int64_t first = sqlite3_column_int64(row, table_.time_column);
  sqlite3_result_int64(context, std::max(seen, first));
  return Done{};
}

}  // namespace heddle::store

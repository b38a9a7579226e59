#include "store/scripts/engine_tables.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "store/scripts/engine_cursor.hpp"

namespace heddle::store {

namespace {

// The constraints a cursor uses, packed into SQLite's idxNum.
enum Plan : int { by_id = 1, newest_first = 2, has_from = 4, has_to = 8, has_at = 16 };

struct EngineVirtualTable : sqlite3_vtab {
  EngineVirtualTable(const EngineTable& described, EngineData& engine)
      : sqlite3_vtab{}, description(described), data(engine) {}
  const EngineTable& description;
  EngineData& data;
};

struct Cursor : sqlite3_vtab_cursor {
  explicit Cursor(const EngineVirtualTable& table)
      : sqlite3_vtab_cursor{}, rows(table.description, table.data) {}
  EngineCursor rows;
};

EngineCursor& rows_of(sqlite3_vtab_cursor* cursor) {
  return static_cast<Cursor*>(cursor)->rows;
}

int answer(sqlite3_vtab_cursor* cursor, const Status& done) {
  if (done) return SQLITE_OK;
  sqlite3_free(cursor->pVtab->zErrMsg);
  cursor->pVtab->zErrMsg = sqlite3_mprintf("%s", done.error().message.c_str());
  return SQLITE_ERROR;
}

// NOLINTNEXTLINE(readability-function-size): SQLite's parameters
int connect(sqlite3* db, void* data, int count, const char* const* words, sqlite3_vtab** table,
            char** /*problem*/) {
  const EngineTable* description = count > 2 ? find_engine_table(words[2]) : nullptr;
  if (description == nullptr) return SQLITE_ERROR;
  const int code = sqlite3_declare_vtab(db, description->declaration);
  if (code != SQLITE_OK) return code;
  sqlite3_vtab_config(db, SQLITE_VTAB_DIRECTONLY);
  *table = new EngineVirtualTable(*description, *static_cast<EngineData*>(data));
  return SQLITE_OK;
}

int disconnect(sqlite3_vtab* table) {
  delete static_cast<EngineVirtualTable*>(table);
  return SQLITE_OK;
}

int plan_of(unsigned char comparison) {
  switch (comparison) {
    case SQLITE_INDEX_CONSTRAINT_EQ:
      return has_at;
    case SQLITE_INDEX_CONSTRAINT_GT:
    case SQLITE_INDEX_CONSTRAINT_GE:
      return has_from;
    case SQLITE_INDEX_CONSTRAINT_LT:
    case SQLITE_INDEX_CONSTRAINT_LE:
      return has_to;
    default:
      return 0;
  }
}

bool is_id(const EngineTable& table, int column) {
  return column < 0 || column == table.id_column;
}

// Selects one row by its id, through the engine's index.
bool plan_by_id(const EngineTable& table, sqlite3_index_info& info) {
  for (int i = 0; i < info.nConstraint; ++i) {
    const auto& constraint = info.aConstraint[i];
    if (constraint.usable == 0 || constraint.op != SQLITE_INDEX_CONSTRAINT_EQ ||
        !is_id(table, constraint.iColumn))
      continue;
    info.aConstraintUsage[i].argvIndex = 1;
    info.idxNum = by_id;
    info.estimatedCost = 10;
    info.estimatedRows = 1;
    info.idxFlags = SQLITE_INDEX_SCAN_UNIQUE;
    return true;
  }
  return false;
}

constexpr std::array<int, 3> kKinds{has_at, has_from, has_to};  // in the order of their values

// Maps time constraints to bounds; -1: none.
std::array<int, 3> choose_bounds(const EngineTable& table, const sqlite3_index_info& info) {
  std::array<int, 3> chosen{-1, -1, -1};
  for (int i = 0; i < info.nConstraint; ++i) {
    const auto& constraint = info.aConstraint[i];
    if (constraint.usable == 0 || constraint.iColumn != table.time_column) continue;
    const auto kind = std::find(kKinds.begin(), kKinds.end(), plan_of(constraint.op));
    if (kind != kKinds.end()) chosen[static_cast<std::size_t>(kind - kKinds.begin())] = i;
  }
  return chosen;
}

// Selects a time range. SQLite checks each row again, so bounds may be wider than requested.
int plan_query(sqlite3_vtab* raw, sqlite3_index_info* info) {
  const EngineTable& table = static_cast<EngineVirtualTable*>(raw)->description;
  if (plan_by_id(table, *info)) return SQLITE_OK;
  const auto chosen = choose_bounds(table, *info);
  int arguments = 0;
  info->estimatedCost = 1e6;
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
    if (chosen[kind] < 0) continue;
    info->aConstraintUsage[chosen[kind]].argvIndex = ++arguments;
    info->idxNum |= kKinds[kind];
    info->estimatedCost /= 10;
  }
  if (info->nOrderBy == 1 && info->aOrderBy[0].iColumn == table.time_column) {
    info->orderByConsumed = 1;
    if (info->aOrderBy[0].desc != 0) info->idxNum |= newest_first;
  }
  return SQLITE_OK;
}

int open_cursor(sqlite3_vtab* table, sqlite3_vtab_cursor** cursor) {
  *cursor = new Cursor(*static_cast<EngineVirtualTable*>(table));
  return SQLITE_OK;
}

int close_cursor(sqlite3_vtab_cursor* cursor) {
  delete static_cast<Cursor*>(cursor);
  return SQLITE_OK;
}

constexpr std::int64_t kFirst = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();

// A bound that is not a number limits nothing here; SQLite compares it itself.
std::int64_t bound(sqlite3_value* value, bool is_upper) {
  const std::int64_t none = is_upper ? kLast : kFirst;
  if (sqlite3_value_type(value) == SQLITE_INTEGER) return sqlite3_value_int64(value);
  if (sqlite3_value_type(value) != SQLITE_FLOAT) return none;
  const double real = sqlite3_value_double(value);
  if (!(std::abs(real) < 9e18)) return none;
  return static_cast<std::int64_t>(is_upper ? std::ceil(real) : std::floor(real));
}

int filter(sqlite3_vtab_cursor* cursor, int plan, const char*, int, sqlite3_value** values) {
  EngineCursor& rows = rows_of(cursor);
  if ((plan & by_id) != 0 && sqlite3_value_type(*values) == SQLITE_INTEGER)
    return answer(cursor, rows.start_at_id(sqlite3_value_int64(*values)));
  if ((plan & by_id) != 0) return answer(cursor, rows.start({kFirst, kLast, false}));
  EngineCursor::Range range{kFirst, kLast, (plan & newest_first) != 0};
  if ((plan & has_at) != 0) {
    range.from = bound(*values, false);
    range.to = bound(*values++, true);
  }
  if ((plan & has_from) != 0) range.from = std::max(range.from, bound(*values++, false));
  if ((plan & has_to) != 0) range.to = std::min(range.to, bound(*values++, true));
  return answer(cursor, rows.start(range));
}

int next(sqlite3_vtab_cursor* cursor) {
  return answer(cursor, rows_of(cursor).next());
}

int is_at_end(sqlite3_vtab_cursor* cursor) {
  return rows_of(cursor).is_at_end() ? 1 : 0;
}

int column(sqlite3_vtab_cursor* cursor, sqlite3_context* context, int index) {
  return answer(cursor, rows_of(cursor).put_column(context, index));
}

int row_id(sqlite3_vtab_cursor* cursor, sqlite3_int64* id) {
  *id = rows_of(cursor).id();
  return SQLITE_OK;
}

constexpr sqlite3_module make_module() {
  sqlite3_module module{};  // without xUpdate: read-only
  module.xCreate = connect;
  module.xConnect = connect;
  module.xBestIndex = plan_query;
  module.xDisconnect = disconnect;
  module.xDestroy = disconnect;
  module.xOpen = open_cursor;
  module.xClose = close_cursor;
  module.xFilter = filter;
  module.xNext = next;
  module.xEof = is_at_end;
  module.xColumn = column;
  module.xRowid = row_id;
  return module;
}

constexpr sqlite3_module kModule = make_module();

}  // namespace

// In the temporary schema, which SQLite searches before the tables of the file.
Status add_engine_tables(Connection& db, EngineData& data) {
  const int code = sqlite3_create_module_v2(db.handle(), "heddle_engine", &kModule, &data, nullptr);
  if (code != SQLITE_OK) return db.error(code);
  for (const EngineTable& table : engine_tables()) {
    auto made =
        db.execute(std::string("CREATE VIRTUAL TABLE temp.") + table.name + " USING heddle_engine");
    if (!made) return made;
  }
  return Done{};
}

}  // namespace heddle::store

#include "store/sqlite/salvage.hpp"

#include <algorithm>
#include <limits>

#include "store/sqlite/schema.hpp"
#include "store/sqlite/statement.hpp"

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

bool is_damage(const Error& error) {
  return error.code == ErrorCode::corrupt;
}

struct Table {
  std::string name;
  std::vector<std::string> columns;
  std::vector<std::string> key;  // of a table without row numbers
};

Result<std::vector<std::string>> read_texts(Connection& db, const std::string& sql,
                                            const std::string& argument) {
  std::vector<std::string> texts;
  Statement statement(db, sql);
  auto rows = statement.query(argument);
  while (true) {
    auto more = rows.next();
    if (!more) return std::move(more).error();
    if (!*more) return texts;
    texts.emplace_back(rows.text(0));
  }
}

Result<std::vector<Table>> tables_of(Connection& db) {
  auto names = read_texts(db,
                          "SELECT name FROM sqlite_schema WHERE type = ? AND name NOT LIKE"
                          " 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid",
                          "table");
  if (!names) return std::move(names).error();
  std::vector<Table> tables;
  for (std::string& name : *names) {
    Table table;
    auto columns = read_texts(db, "SELECT name FROM pragma_table_info(?) ORDER BY cid", name);
    if (!columns) return std::move(columns).error();
    table.columns = std::move(*columns);
    auto keys = read_texts(db,
                           "SELECT i.name FROM pragma_table_info(?1) i WHERE i.pk > 0 AND EXISTS"
                           " (SELECT 1 FROM pragma_table_list(?1) t WHERE t.wr = 1) ORDER BY i.pk",
                           name);
    if (!keys) return std::move(keys).error();
    table.key = std::move(*keys);
    table.name = std::move(name);
    tables.push_back(std::move(table));
  }
  return tables;
}

// Copies the rows of one table from the damaged database, past whatever cannot be read.
class TableCopy {
 public:
  TableCopy(Connection& from, Connection& to, const Table& table)
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
    const auto there = count(to_);
    if (!there) return Error{ErrorCode::bug, "cannot count what was saved of " + table_.name};
    saved.saved = *there;
    if (expected)
      saved.lost = std::max<std::int64_t>(0, *expected - saved.saved);
    else if (!has_met_damage_)
      saved.lost = 0;
    if (has_met_damage_ && saved.lost == 0) saved.lost.reset();  // the count was wrong, too
    return saved;
  }

 private:
  // How a stretch of rows ended.
  enum class End { no_more, damage };

  [[nodiscard]] bool has_numbers() const { return table_.key.empty(); }

  // Through an index, where there is one: nullopt when that is damaged, too.
  std::optional<std::int64_t> count(Connection& db) {
    auto number = db.query_integer("SELECT count(*) FROM " + sql_name(table_.name));
    return number ? std::optional(*number) : std::nullopt;
  }

  // Rows from this query into the new table; `last` is the first column of the last good one.
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
    // A row that breaks the table's rules was damaged, too.
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

  // Row numbers lead to their page without reading the others: behind a damaged page the next good
  // row is looked for in steps that double, and then the first one in between.
  Result<Done> copy_by_number() {
    const std::string sql = "SELECT rowid, " + columns_ + " FROM " + sql_name(table_.name) +
                            " NOT INDEXED WHERE rowid >= ? ORDER BY rowid";
    std::int64_t next = std::numeric_limits<std::int64_t>::min();
    while (true) {
      std::int64_t last = next;
      auto end = copy_rows(sql, next, &last);
      if (!end) return std::move(end).error();
      if (*end == End::no_more) return Done{};
      const auto readable = first_readable_behind(std::max<std::int64_t>(last, -1));
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

  std::optional<std::int64_t> first_readable_behind(std::int64_t number) {
    std::int64_t bad = number;  // at or behind it reading fails
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

  // Such tables are in the order of their key: from both ends up to the damage, for every value of
  // its first column by itself where those are numbers that can be told.
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
      for (const std::string& way : {order, backwards}) {
        end = copy_rows(one + way, value, nullptr);
        if (!end) return std::move(end).error();
        if (*end == End::no_more) break;
      }
    return Done{};
  }

  // Between the last row before the damage and the first behind it.
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
  const Table& table_;
  std::string columns_;
  std::string insert_;
  bool has_met_damage_ = false;
};

// The damaged file says what scripts have made; only what makes tables is taken from there.
Status make_again(Connection& from, Connection& to, const std::string& kind) {
  auto made = read_texts(from,
                         "SELECT sql FROM sqlite_schema WHERE type = ? AND sql IS NOT NULL AND"
                         " name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid",
                         kind);
  if (!made) return std::move(made).error();
  for (const std::string& sql : *made) {
    if (!sql.starts_with("CREATE ")) continue;
    Statement statement(to, sql);  // one statement, whatever follows it
    if (auto done = statement.run(); !done && kind == "table") return done;
  }
  return Done{};
}

Status make_tables(Connection& from, Connection& to, DatabaseKind kind) {
  auto version = from.query_integer("PRAGMA user_version");
  if (!version) return std::move(version).error();
  if (kind == DatabaseKind::engine) {
    if (auto usable = check_upgradable(from); !usable) return usable;
    return migrate(to, migrations().first(static_cast<std::size_t>(*version)));
  }
  auto set = to.execute("PRAGMA application_id=" + std::to_string(kApplicationId) +
                        "; PRAGMA user_version=" + std::to_string(*version));
  if (!set) return set;
  return make_again(from, to, "table");
}

// What is kept twice is made whole again from the half that was saved. A key whose item was lost
// would keep it from ever being stored again, and so would the memory of its page.
Status complete_engine_tables(Connection& db) {
  return db.execute(
      "BEGIN;"
      "INSERT OR IGNORE INTO seen_keys (job, key, item) SELECT job, key, id FROM items;"
      "UPDATE pages SET etag = NULL, last_modified = NULL, body_hash = NULL WHERE job IN"
      " (SELECT job FROM seen_keys WHERE item NOT IN (SELECT id FROM items));"
      "DELETE FROM seen_keys WHERE item NOT IN (SELECT id FROM items);"
      "COMMIT");
}

Result<bool> has_table(Connection& db, const std::string& name) {
  auto found = db.query_integer("SELECT count(*) FROM sqlite_schema WHERE name = '" + name + "'");
  if (!found) return std::move(found).error();
  return *found > 0;
}

// Whatever was lost of it, no url that is spoken of may go with another job.
Status complete_url_uses(Connection& db) {
  auto is_there = has_table(db, "url_uses");
  if (!is_there) return std::move(is_there).error();
  if (!*is_there) return Done{};
  return db.execute(
      "BEGIN;"
      "INSERT OR IGNORE INTO url_uses SELECT job, url FROM pages;"
      "INSERT OR IGNORE INTO url_uses SELECT job, final_url FROM pages;"
      "INSERT OR IGNORE INTO url_uses SELECT job, url FROM items;"
      "COMMIT");
}

// Where neighbours were lost a version may be the first or the newest one now.
Status judge_versions(Connection& db) {
  auto is_there = has_table(db, "versions_between");
  if (!is_there) return std::move(is_there).error();
  if (!*is_there) return Done{};
  return db.execute(
      "UPDATE versions SET is_between ="
      " EXISTS (SELECT 1 FROM versions o WHERE o.page = versions.page AND o.id < versions.id)"
      " AND EXISTS (SELECT 1 FROM versions o WHERE o.page = versions.page AND o.id > versions.id)");
}

// The numbers of events and letters must not come again.
Status copy_sequence(Connection& from, Connection& to) {
  auto used = from.query_integer("SELECT seq FROM sqlite_sequence WHERE name = 'events'");
  auto saved = to.query_integer("SELECT max(id) FROM events");
  if (!saved) return std::move(saved).error();
  const std::int64_t last = std::max(used ? *used : 0, *saved);
  if (auto gone = to.execute("DELETE FROM sqlite_sequence WHERE name = 'events'"); !gone)
    return gone;
  return to.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ('events', " +
                    std::to_string(last) + ")");
}

// Rows that speak of something lost must not be taken for those of something new that gets its
// number. Numbers that are spoken of are passed over; what is of no use without its owner goes.
Status keep_numbers_apart(Connection& db) {
  auto done = db.execute(
      "BEGIN;"
      "INSERT INTO urls (id, hash, url) SELECT 1 + max("
      " coalesce((SELECT max(url) FROM pages), 0), coalesce((SELECT max(final_url) FROM pages), 0),"
      " coalesce((SELECT max(url) FROM items), 0), coalesce((SELECT max(id) FROM urls), 0)), 0, ''"
      " WHERE EXISTS (SELECT 1 FROM pages WHERE url NOT IN (SELECT id FROM urls)"
      "  OR final_url NOT IN (SELECT id FROM urls))"
      " OR EXISTS (SELECT 1 FROM items WHERE url NOT IN (SELECT id FROM urls));"
      "INSERT INTO contents (id, hash, size, zstd) SELECT 1 + max("
      " coalesce((SELECT max(content) FROM versions), 0), coalesce((SELECT max(id) FROM contents),"
      " 0)), zeroblob(16), 0, zeroblob(0)"
      " WHERE EXISTS (SELECT 1 FROM versions WHERE content NOT IN (SELECT id FROM contents));"
      "DELETE FROM versions WHERE page NOT IN (SELECT id FROM pages);"
      "DELETE FROM page_keys WHERE page NOT IN (SELECT id FROM pages);"
      "DELETE FROM tasks WHERE run NOT IN (SELECT number FROM runs);"
      "DELETE FROM traces WHERE run NOT IN (SELECT number FROM runs);"
      "COMMIT");
  if (!done) return done;
  auto has_notes = has_table(db, "notes");
  if (!has_notes) return std::move(has_notes).error();
  if (!*has_notes) return Done{};
  return db.execute(
      "INSERT INTO notes (name, value) SELECT 'jobs.last_number', max("
      " coalesce((SELECT max(job) FROM items), 0), coalesce((SELECT max(job) FROM pages), 0),"
      " coalesce((SELECT max(job) FROM runs), 0), coalesce((SELECT max(number) FROM jobs), 0))"
      " WHERE true ON CONFLICT (name) DO UPDATE SET"
      " value = max(CAST(value AS INTEGER), CAST(excluded.value AS INTEGER))");
}

Status finish(Connection& from, Connection& to, DatabaseKind kind) {
  if (kind == DatabaseKind::engine) {
    if (auto completed = complete_engine_tables(to); !completed) return completed;
    if (auto completed = complete_url_uses(to); !completed) return completed;
    if (auto kept = keep_numbers_apart(to); !kept) return kept;
    if (auto judged = judge_versions(to); !judged) return judged;
    return copy_sequence(from, to);
  }
  for (const char* more : {"index", "view", "trigger"})
    if (auto made = make_again(from, to, more); !made) return made;
  return Done{};
}

}  // namespace

Result<std::vector<SavedTable>> salvage(const std::filesystem::path& damaged,
                                        const std::filesystem::path& saved, DatabaseKind kind) {
  auto from = open_for_reading(damaged);
  if (!from) return std::move(from).error();
  auto to = Connection::open(saved, {});
  if (!to) return std::move(to).error();
  if (auto made = make_tables(**from, **to, kind); !made) return std::move(made).error();
  auto tables = tables_of(**to);
  if (!tables) return std::move(tables).error();
  std::vector<SavedTable> report;
  for (const Table& table : *tables) {
    if (auto begun = (*to)->execute("BEGIN"); !begun) return std::move(begun).error();
    auto copied = TableCopy(**from, **to, table).run();
    if (!copied) return std::move(copied).error();
    if (auto done = (*to)->execute("COMMIT"); !done) return std::move(done).error();
    report.push_back(std::move(*copied));
  }
  if (auto finished = finish(**from, **to, kind); !finished) return std::move(finished).error();
  return report;
}

}  // namespace heddle::store

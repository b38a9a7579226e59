#include "store/sqlite/salvage.hpp"

#include <algorithm>

#include "store/sqlite/mended_copy.hpp"
#include "store/sqlite/schema.hpp"
#include "store/sqlite/statement.hpp"
#include "store/sqlite/table_copy.hpp"

namespace heddle::store {

namespace fs = std::filesystem;

namespace {

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

Result<std::vector<TableShape>> tables_of(Connection& db) {
  auto names = read_texts(db,
                          "SELECT name FROM sqlite_schema WHERE type = ? AND name NOT LIKE"
                          " 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid",
                          "table");
  if (!names) return std::move(names).error();
  std::vector<TableShape> tables;
  for (std::string& name : *names) {
    TableShape table;
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

// A job without a life begins a new one, and runs: those that somebody paused, stopped or archived
// must not. The newest event of a job says so, if it was saved. How many were made again.
Result<std::int64_t> rebuild_lives(Connection& db) {
  auto is_there = has_table(db, "job_lives");
  if (!is_there) return std::move(is_there).error();
  if (!*is_there) return 0;
  auto done = db.execute(
      "INSERT OR IGNORE INTO job_lives (job, state, since, pause_reason, run, check_state,"
      " failed_runs, attempt, revision)"
      " SELECT e.job, substr(e.kind, 5), e.at,"
      " iif(e.kind = 'job.paused', iif(json_valid(e.data),"
      "  coalesce(json_extract(e.data, '$.reason'), 'user'), 'user'), NULL),"
      " iif(e.kind = 'job.paused', (SELECT r.id FROM runs r WHERE r.job = e.job AND"
      "  r.ended_at IS NULL ORDER BY r.number DESC LIMIT 1), NULL), 'pending', 0, 0, j.revision"
      " FROM events e JOIN jobs j ON j.number = e.job"
      " WHERE e.id IN (SELECT max(id) FROM events WHERE kind LIKE 'job.%' GROUP BY job)"
      " AND e.kind IN ('job.paused', 'job.stopped', 'job.archived')");
  if (!done) return std::move(done).error();
  return db.query_integer("SELECT changes()");
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
  for (const char* table : {"run_courses", "processes", "hook_tries"}) {
    auto is_there = has_table(db, table);
    if (!is_there) return std::move(is_there).error();
    if (!*is_there) continue;
    auto gone = db.execute(std::string("DELETE FROM ") + table +
                           " WHERE run NOT IN (SELECT number FROM runs)");
    if (!gone) return gone;
  }
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

// What the damaged file is read through: itself, or a copy that is mended and goes with this.
class Source {
 public:
  explicit Source(fs::path copy) : copy_(std::move(copy)) {}
  ~Source() {
    db_.reset();
    std::error_code ignored;
    for (const char* part : {"", "-wal", "-shm", "-journal"})
      fs::remove(copy_.string() + part, ignored);
  }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  Status open(const fs::path& damaged, DatabaseKind kind) {
    auto db = open_for_reading(damaged);
    if (!db && is_damage(db.error())) {
      auto mended = make_mended_copy(damaged, copy_, kind);
      if (!mended) return std::move(mended).error();
      has_lost_table_names_ = mended->has_lost_table_names;
      db = open_for_reading(copy_);
    }
    if (!db) return std::move(db).error();
    db_ = std::move(*db);
    return Done{};
  }

  [[nodiscard]] Connection& db() { return *db_; }
  [[nodiscard]] bool has_lost_table_names() const { return has_lost_table_names_; }

 private:
  fs::path copy_;
  std::unique_ptr<Connection> db_;
  bool has_lost_table_names_ = false;
};

}  // namespace

Result<std::vector<SavedTable>> salvage(const fs::path& damaged, const fs::path& saved,
                                        DatabaseKind kind) {
  Source from(saved.string() + ".source.repairing");
  if (auto opened = from.open(damaged, kind); !opened) return std::move(opened).error();
  auto to = Connection::open(saved, {});
  if (!to) return std::move(to).error();
  if (auto made = make_tables(from.db(), **to, kind); !made) return std::move(made).error();
  auto tables = tables_of(**to);
  if (!tables) return std::move(tables).error();
  std::vector<SavedTable> report;
  for (const TableShape& table : *tables) {
    if (auto begun = (*to)->execute("BEGIN"); !begun) return std::move(begun).error();
    auto copied = copy_table(from.db(), **to, table);
    if (!copied) return std::move(copied).error();
    if (auto done = (*to)->execute("COMMIT"); !done) return std::move(done).error();
    report.push_back(std::move(*copied));
  }
  if (from.has_lost_table_names()) report.push_back({"(made by scripts)", 0, std::nullopt});
  if (auto finished = finish(from.db(), **to, kind); !finished) return std::move(finished).error();
  if (kind != DatabaseKind::engine) return report;
  auto rebuilt = rebuild_lives(**to);
  if (!rebuilt) return std::move(rebuilt).error();
  for (SavedTable& table : report)
    if (table.name == "job_lives") table.rebuilt = *rebuilt;
  return report;
}

}  // namespace heddle::store

#include "store/sqlite/repair/salvage.hpp"

#include <algorithm>

#include "store/sqlite/core/schema.hpp"
#include "store/sqlite/core/statement.hpp"
#include "store/sqlite/repair/repaired_copy.hpp"
#include "store/sqlite/repair/table_copy.hpp"

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

// Recreates the tables, indexes, views and triggers of scripts from the damaged schema.
Status recreate_objects(Connection& from, Connection& to, const std::string& kind) {
  auto created = read_texts(from,
                            "SELECT sql FROM sqlite_schema WHERE type = ? AND sql IS NOT NULL AND"
                            " name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid",
                            kind);
  if (!created) return std::move(created).error();
  for (const std::string& sql : *created) {
    if (!sql.starts_with("CREATE ")) continue;
    Statement statement(to, sql);  // runs only the first statement
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
  return recreate_objects(from, to, "table");
}

// Restores what is stored twice from the half that was saved. A key whose item was lost would keep
// it from ever being stored again, and so would its page's stored hashes.
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

// A url that is still referenced must not be removed with another job.
Status complete_url_uses(Connection& db) {
  auto exists = has_table(db, "url_uses");
  if (!exists) return std::move(exists).error();
  if (!*exists) return Done{};
  return db.execute(
      "BEGIN;"
      "INSERT OR IGNORE INTO url_uses SELECT job, url FROM pages;"
      "INSERT OR IGNORE INTO url_uses SELECT job, final_url FROM pages;"
      "INSERT OR IGNORE INTO url_uses SELECT job, url FROM items;"
      "COMMIT");
}

// Where neighbours were lost a version may now be the first or the newest one.
Status mark_versions_between(Connection& db) {
  auto exists = has_table(db, "versions_between");
  if (!exists) return std::move(exists).error();
  if (!*exists) return Done{};
  return db.execute(
      "UPDATE versions SET is_between ="
      " EXISTS (SELECT 1 FROM versions o WHERE o.page = versions.page AND o.id < versions.id)"
      " AND EXISTS (SELECT 1 FROM versions o WHERE o.page = versions.page AND o.id > versions.id)");
}

// A job without a stored status starts as new and runs: jobs that were paused, stopped or archived
// must not. The job's newest event shows it, if it was saved. Returns the number of restored
// statuses.
Result<std::int64_t> rebuild_job_statuses(Connection& db) {
  auto exists = has_table(db, "job_lives");
  if (!exists) return std::move(exists).error();
  if (!*exists) return 0;
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

// The ids of events and dead letters must not be reused.
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

// Rows that reference a lost row must not be attributed to a new row with its id: referenced ids
// are skipped, and rows that are useless without their owner are removed.
Status reserve_referenced_ids(Connection& db) {
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
    auto exists = has_table(db, table);
    if (!exists) return std::move(exists).error();
    if (!*exists) continue;
    auto gone = db.execute(std::string("DELETE FROM ") + table +
                           " WHERE run NOT IN (SELECT number FROM runs)");
    if (!gone) return gone;
  }
  auto has_absences = has_table(db, "absences");
  if (!has_absences) return std::move(has_absences).error();
  if (*has_absences)
    if (auto gone = db.execute("DELETE FROM absences WHERE item NOT IN (SELECT id FROM items)"
                               " OR page NOT IN (SELECT id FROM pages)");
        !gone)
      return gone;
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
    if (auto kept = reserve_referenced_ids(to); !kept) return kept;
    if (auto marked = mark_versions_between(to); !marked) return marked;
    return copy_sequence(from, to);
  }
  for (const char* more : {"index", "view", "trigger"})
    if (auto created = recreate_objects(from, to, more); !created) return created;
  return Done{};
}

// Opens the damaged file, or a repaired copy that is removed with this object.
class DamagedSource {
 public:
  explicit DamagedSource(fs::path copy) : copy_(std::move(copy)) {}
  ~DamagedSource() {
    db_.reset();
    std::error_code ignored;
    for (const char* part : {"", "-wal", "-shm", "-journal"})
      fs::remove(copy_.string() + part, ignored);
  }
  DamagedSource(const DamagedSource&) = delete;
  DamagedSource& operator=(const DamagedSource&) = delete;

  Status open(const fs::path& damaged, DatabaseKind kind) {
    auto db = open_for_reading(damaged);
    if (!db && is_damage(db.error())) {
      auto repaired = make_repaired_copy(damaged, copy_, kind);
      if (!repaired) return std::move(repaired).error();
      has_lost_table_names_ = repaired->has_lost_table_names;
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
  DamagedSource from(saved.string() + ".source.repairing");
  if (auto opened = from.open(damaged, kind); !opened) return std::move(opened).error();
  auto to = Connection::open(saved, {});
  if (!to) return std::move(to).error();
  if (auto created = make_tables(from.db(), **to, kind); !created)
    return std::move(created).error();
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
  auto rebuilt = rebuild_job_statuses(**to);
  if (!rebuilt) return std::move(rebuilt).error();
  for (SavedTable& table : report)
    if (table.name == "job_lives") table.rebuilt = *rebuilt;
  return report;
}

}  // namespace heddle::store

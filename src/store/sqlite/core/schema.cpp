#include "store/sqlite/core/schema.hpp"

#include <string>

namespace heddle::store {

namespace {

using SqliteBackup = std::unique_ptr<sqlite3_backup, FreeWith<sqlite3_backup_finish>>;

Status copy_to(Connection& from, const std::filesystem::path& target) {
  auto to = Connection::open(target, {});
  if (!to) return std::move(to).error();
  SqliteBackup backup(sqlite3_backup_init((*to)->handle(), "main", from.handle(), "main"));
  if (!backup) return (*to)->error(sqlite3_extended_errcode((*to)->handle()));
  const int code = sqlite3_backup_step(backup.get(), -1);
  if (code != SQLITE_DONE) return (*to)->error(code);
  backup.reset();
  // One file without a WAL, so that it can be moved.
  return (*to)->execute("PRAGMA journal_mode=DELETE");
}

// Copied to a temporary name first: an incomplete copy is never taken for a backup.
Status back_up(Connection& db, int version) {
  const auto target = backup_name(db.file(), version);
  auto unfinished = target;
  unfinished += ".part";
  std::error_code failure;
  std::filesystem::remove(unfinished, failure);
  if (auto copied = copy_to(db, unfinished); !copied)
    return std::move(copied).error().during("cannot copy the database before its upgrade");
  std::filesystem::rename(unfinished, target, failure);
  if (failure)
    return Error{ErrorCode::unavailable,
                 "cannot name the backup " + target.string() + ": " + failure.message()};
  return Done{};
}

Status refuse_newer(const Connection& db, std::int64_t version, std::size_t known) {
  if (version >= 0 && version <= static_cast<std::int64_t>(known)) return Done{};
  return Error{ErrorCode::conflict, "database " + db.file().string() + " has schema " +
                                        std::to_string(version) + ", this program knows up to " +
                                        std::to_string(known) +
                                        ": it was written by a newer Heddle; install that one"};
}

Status refuse_foreign(Connection& db) {
  auto id = db.query_integer("PRAGMA application_id");
  if (!id) return std::move(id).error();
  auto tables = db.query_integer("SELECT count(*) FROM sqlite_schema");
  if (!tables) return std::move(tables).error();
  if (*tables == 0 || *id == kApplicationId) return Done{};
  return Error{ErrorCode::bad_input, "database " + db.file().string() +
                                         " belongs to another program: it was not changed"};
}

// Both must be set before the first table: they define the file's layout.
Status prepare_empty_file(Connection& db) {
  return db.execute("PRAGMA auto_vacuum=INCREMENTAL; PRAGMA application_id=" +
                    std::to_string(kApplicationId));
}

// One transaction.
Status apply(Connection& db, std::span<const Migration> steps, std::size_t new_version) {
  std::string sql = "BEGIN IMMEDIATE;";
  for (const Migration step : steps) sql += std::string(step) + ";";
  auto done = db.execute(sql + "PRAGMA user_version=" + std::to_string(new_version) + ";COMMIT");
  if (done) return done;
  if (db.in_transaction()) (void)db.execute("ROLLBACK");
  return std::move(done).error().during("cannot upgrade the database to schema " +
                                        std::to_string(new_version));
}

}  // namespace

std::filesystem::path backup_name(const std::filesystem::path& file, int version) {
  auto name = file;
  name += ".before-" + std::to_string(version + 1);
  return name;
}

Status migrate(Connection& db, std::span<const Migration> steps) {
  if (auto ours = refuse_foreign(db); !ours) return ours;
  auto version = db.query_integer("PRAGMA user_version");
  if (!version) return std::move(version).error();
  if (auto known = refuse_newer(db, *version, steps.size()); !known) return known;

  const auto taken = static_cast<std::size_t>(*version);
  if (taken == steps.size()) return Done{};
  if (taken == 0) {
    if (auto prepared = prepare_empty_file(db); !prepared) return prepared;
    // At once: whoever opens the file meanwhile finds no tables or all of them.
    return apply(db, steps, steps.size());
  }
  if (auto copied = back_up(db, static_cast<int>(*version)); !copied) return copied;
  for (std::size_t i = taken; i < steps.size(); ++i)
    if (auto done = apply(db, steps.subspan(i, 1), i + 1); !done) return done;
  return Done{};
}

Status check_upgradable(Connection& db) {
  if (auto ours = refuse_foreign(db); !ours) return ours;
  auto version = db.query_integer("PRAGMA user_version");
  if (!version) return std::move(version).error();
  return refuse_newer(db, *version, migrations().size());
}

Status check_schema(Connection& db) {
  if (auto usable = check_upgradable(db); !usable) return usable;
  auto version = db.query_integer("PRAGMA user_version");
  if (!version) return std::move(version).error();
  if (*version == static_cast<std::int64_t>(migrations().size())) return Done{};
  auto tables = db.query_integer("SELECT count(*) FROM sqlite_schema");
  if (tables && *tables == 0)  // its creator ended before the first table
    return Error{ErrorCode::not_found,
                 "database " + db.file().string() + " is empty: nothing was stored yet"};
  return Error{ErrorCode::unavailable, "database " + db.file().string() + " has the older schema " +
                                           std::to_string(*version) +
                                           ": start the daemon (`heddle up`) or run a job (`heddle "
                                           "run JOB`) to upgrade it"};
}

}  // namespace heddle::store

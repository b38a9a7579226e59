#include "store/scripts/script_schema.hpp"

#include <string>

#include "store/scripts/key_table.hpp"
#include "store/sqlite/core/schema.hpp"

namespace heddle::store {

namespace {

constexpr std::int64_t kVersion = 1;
constexpr std::int64_t kPageBytes = 4096;
constexpr std::size_t kCacheBytes = 4u << 20;
constexpr int kBusyMilliseconds = 10'000;  // other workers' statements may take seconds

// FULL: an acknowledged write survives a power cut. Many key-value calls share one sync;
// each statement has its own.
constexpr const char* kDurable = "PRAGMA synchronous=FULL; PRAGMA journal_size_limit=67108864";

Status make_tables(Connection& db) {
  if (auto begun = db.execute("BEGIN IMMEDIATE"); !begun) return begun;
  Status done = check_script_file(db);  // another process may have created it first
  if (done)
    done = db.execute(std::string(KeyTable::kSchema) +
                      "; PRAGMA application_id=" + std::to_string(kApplicationId) +
                      "; PRAGMA user_version=" + std::to_string(kVersion) + "; COMMIT");
  if (!done && db.in_transaction()) (void)db.execute("ROLLBACK");
  return done;
}

}  // namespace

Status check_script_file(Connection& db) {
  // Tables first: another process may create the file in between, and sets its mark together with
  // its tables.
  auto tables = db.query_integer("SELECT count(*) FROM sqlite_schema");
  if (!tables) return std::move(tables).error();
  auto id = db.query_integer("PRAGMA application_id");
  if (!id) return std::move(id).error();
  auto version = db.query_integer("PRAGMA user_version");
  if (!version) return std::move(version).error();
  if (*tables > 0 && *id != kApplicationId)
    return Error{ErrorCode::bad_input, "database " + db.file().string() +
                                           " belongs to another program: it was not changed"};
  if (*version > kVersion)
    return Error{ErrorCode::conflict, "database " + db.file().string() +
                                          " was written by a newer Heddle; install that one"};
  return Done{};
}

Status make_script_file(const std::filesystem::path& file) {
  auto db = Connection::open(file, {});
  if (!db) return std::move(db).error();
  sqlite3_busy_timeout((*db)->handle(), kBusyMilliseconds);
  if (auto known = check_script_file(**db); !known) return known;
  if (auto set = (*db)->execute("PRAGMA journal_mode=WAL"); !set) return set;
  auto version = (*db)->query_integer("PRAGMA user_version");
  if (!version) return std::move(version).error();
  return *version == kVersion ? Status(Done{}) : make_tables(**db);
}

Result<std::unique_ptr<Connection>> open_script_file(const std::filesystem::path& file,
                                                     std::int64_t max_bytes) {
  auto db = Connection::open(file, {.cache_bytes = kCacheBytes});
  if (!db) return db;
  sqlite3_busy_timeout((*db)->handle(), kBusyMilliseconds);
  auto set = (*db)->execute(std::string(kDurable) +
                            "; PRAGMA max_page_count=" + std::to_string(max_bytes / kPageBytes));
  if (!set) return std::move(set).error();
  return db;
}

}  // namespace heddle::store

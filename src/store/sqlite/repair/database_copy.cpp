#include "store/sqlite/repair/database_copy.hpp"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "base/file_descriptor.hpp"
#include "store/scripts/script_schema.hpp"
#include "store/sqlite/core/schema.hpp"
#include "store/sqlite/core/statement.hpp"

namespace heddle::store {

namespace {

using SqliteBackup = std::unique_ptr<sqlite3_backup, FreeWith<sqlite3_backup_finish>>;

bool file_exists(const std::filesystem::path& file, const char* suffix = "") {
  auto name = file;
  name += suffix;
  std::error_code failure;
  return std::filesystem::exists(name, failure);
}

// Copies within a read transaction: without it SQLite restarts the copy whenever the source is
// written.
Status copy_pages(Connection& from, Connection& to, const CopyOptions& options) {
  if (auto begun = from.execute("BEGIN"); !begun) return begun;
  auto page_bytes = from.query_integer("PRAGMA page_size");
  if (!page_bytes) return std::move(page_bytes).error();
  auto snapshot = from.query_integer("SELECT count(*) FROM sqlite_schema");
  if (!snapshot) return std::move(snapshot).error();
  SqliteBackup backup(sqlite3_backup_init(to.handle(), "main", from.handle(), "main"));
  if (!backup) return to.error(sqlite3_extended_errcode(to.handle()));
  int code = SQLITE_OK;
  while (code == SQLITE_OK) {
    code = sqlite3_backup_step(backup.get(), options.pages_per_step);
    const std::int64_t all = sqlite3_backup_pagecount(backup.get());
    if (options.progress)
      options.progress((all - sqlite3_backup_remaining(backup.get())) * *page_bytes,
                       all * *page_bytes);
  }
  if (code != SQLITE_DONE) {
    const bool is_source = (code & 0xFF) == SQLITE_CORRUPT || (code & 0xFF) == SQLITE_NOTADB;
    return (is_source ? from : to).error(code);
  }
  backup.reset();
  return from.execute("COMMIT");
}

Status sync_file(const std::filesystem::path& file) {
  const FileDescriptor open_file(open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (open_file.get() < 0 || fsync(open_file.get()) != 0)
    return Error{ErrorCode::unavailable, "cannot write " + file.string() + " to the disk: " +
                                             std::generic_category().message(errno)};
  return Done{};
}

}  // namespace

Result<std::unique_ptr<Connection>> open_for_reading(const std::filesystem::path& file) {
  if (!file_exists(file))
    return Error{ErrorCode::not_found, "there is no database " + file.string()};
  auto db = Connection::open(file, {.read_only = true});
  auto tables = db ? (*db)->query_integer("SELECT count(*) FROM sqlite_schema")
                   : Result<std::int64_t>(db.error());
  if (tables || tables.error().code != ErrorCode::unavailable || file_exists(file, "-wal")) {
    if (!tables) return std::move(tables).error();
    return db;
  }
  // SQLite cannot create its shared memory there; without a WAL the file alone is complete.
  return Connection::open(file, {.read_only = true, .immutable = true});
}

Status copy_database(const std::filesystem::path& from, const std::filesystem::path& to,
                     const CopyOptions& options) {
  if (file_exists(to)) return Error{ErrorCode::conflict, to.string() + " already exists"};
  auto source = open_for_reading(from);
  if (!source) return std::move(source).error();
  {
    auto target = Connection::open(to, {.vfs = options.vfs});
    if (!target) return std::move(target).error();
    // An incomplete copy is discarded: it needs no journal.
    if (auto set = (*target)->execute("PRAGMA synchronous=OFF; PRAGMA journal_mode=OFF"); !set)
      return set;
    if (auto copied = copy_pages(**source, **target, options); !copied) return copied;
    // The source is in WAL mode, and so would be the copy.
    if (auto set = (*target)->execute("PRAGMA journal_mode=DELETE"); !set) return set;
  }
  return sync_file(to);
}

Result<std::vector<std::string>> find_damage(Connection& db, DatabaseKind kind, std::size_t max) {
  // Indexes of scripts' tables may need functions that only script connections have.
  const std::string check = kind == DatabaseKind::engine ? "integrity_check" : "quick_check";
  Statement statement(db, "PRAGMA " + check + "(" + std::to_string(max) + ")");
  std::vector<std::string> found;
  auto rows = statement.query();
  while (true) {
    auto more = rows.next();
    if (!more && more.error().code == ErrorCode::corrupt) {  // too damaged even for the check
      found.push_back(std::move(more).error().message);
      return found;
    }
    if (!more) return std::move(more).error();
    if (!*more) return found;
    if (rows.text(0) != "ok") found.emplace_back(rows.text(0));
  }
}

Status check_database(const std::filesystem::path& file, DatabaseKind kind) {
  auto db = open_for_reading(file);
  if (!db) return std::move(db).error();
  auto known = kind == DatabaseKind::engine ? check_upgradable(**db) : check_script_file(**db);
  if (!known) return known;
  auto damage = find_damage(**db, kind, 1);
  if (!damage) return std::move(damage).error();
  if (damage->empty()) return Done{};
  return Error{ErrorCode::corrupt, "database " + file.string() + " is damaged: " + damage->front()};
}

}  // namespace heddle::store

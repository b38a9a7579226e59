#include "store/sqlite/core/connection.hpp"

#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "base/files/access_text.hpp"
#include "base/files/private_files.hpp"
#include "store/sqlite/core/statement.hpp"

namespace heddle::store {

namespace {

constexpr std::string_view kHex = "0123456789ABCDEF";
constexpr int kBusyMilliseconds = 5000;  // a backup or a second program may hold the file briefly

struct Meaning {
  int sqlite_code;
  ErrorCode code;
  std::string_view text;
};

constexpr std::array kMeanings{
    Meaning{SQLITE_FULL, ErrorCode::unavailable,
            "the disk is full (or the file has reached its size limit): free some space"},
    Meaning{SQLITE_READONLY, ErrorCode::unavailable,
            "the file or its folder cannot be written: check owner, permissions and mount"},
    Meaning{SQLITE_IOERR, ErrorCode::unavailable,
            "reading or writing failed: check the disk and its free space"},
    Meaning{SQLITE_BUSY, ErrorCode::unavailable,
            "another program holds the database: stop it or wait for it"},
    Meaning{SQLITE_LOCKED, ErrorCode::unavailable, "the database is locked by another reader"},
    Meaning{SQLITE_CANTOPEN, ErrorCode::unavailable,
            "it cannot be opened: check that the folder exists and may be written"},
    Meaning{SQLITE_PERM, ErrorCode::unavailable, "access was refused: check owner and permissions"},
    Meaning{SQLITE_AUTH, ErrorCode::unavailable, "access was refused: check owner and permissions"},
    Meaning{SQLITE_NOMEM, ErrorCode::unavailable, "out of memory"},
    Meaning{SQLITE_TOOBIG, ErrorCode::bad_input, "a value is too large to store"},
    Meaning{SQLITE_CORRUPT, ErrorCode::corrupt,
            "the file is damaged: restore a backup, or save what is readable with `heddle doctor "
            "--repair`"},
    Meaning{SQLITE_NOTADB, ErrorCode::corrupt,
            "this is not a database (or it is damaged): restore a backup, or save what is readable "
            "with `heddle doctor --repair`"},
};

const Meaning* meaning_of(int code) {
  for (const Meaning& meaning : kMeanings)
    if (meaning.sqlite_code == (code & 0xFF)) return &meaning;
  return nullptr;
}

// In a file: URI these would end or change the path.
std::string as_uri(const std::filesystem::path& file) {
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(file).string()) {
    if (c == '%' || c == '?' || c == '#') {
      const auto byte = static_cast<unsigned char>(c);
      uri += {'%', kHex[byte >> 4], kHex[byte & 15]};
    } else {
      uri += c;
    }
  }
  return uri + "?immutable=1";
}

// SQLite tries several ways to open a file and keeps only the last reason.
std::string why_not_opened(const std::filesystem::path& file) {
  const auto folder = std::filesystem::absolute(file).parent_path();
  std::error_code failure;
  if (!std::filesystem::is_directory(folder, failure))
    return "there is no folder " + folder.string();
  if (faccessat(AT_FDCWD, folder.c_str(), W_OK | X_OK, AT_EACCESS) != 0)
    return "folder: " + access_text(folder, errno);
  if (faccessat(AT_FDCWD, file.c_str(), R_OK, AT_EACCESS) != 0 && errno == EACCES)
    return access_text(file, errno);
  return {};
}

int open_flags(const Connection::Options& options) {
  const int access =
      options.read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  // Each connection belongs to one thread, so SQLite's own locks would only cost time.
  return access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE |
         (options.immutable ? SQLITE_OPEN_URI : 0);
}

}  // namespace

Result<std::unique_ptr<Connection>> Connection::open(const std::filesystem::path& file,
                                                     const Options& options) {
  const std::string name = options.immutable ? as_uri(file) : file.string();
  // SQLite gives its log and journal files the mode of the database.
  if (!options.read_only && !options.immutable && name != ":memory:") make_private_file(file);
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &raw, open_flags(options),
                                   options.vfs.empty() ? nullptr : options.vfs.c_str());
  // SQLite keeps the handle even when open fails, so it must be closed.
  auto connection = std::unique_ptr<Connection>(new Connection(SqliteDb(raw), file));
  if (code != SQLITE_OK) return connection->error(code);

  sqlite3_busy_timeout(raw, kBusyMilliseconds);
  sqlite3_limit(raw, SQLITE_LIMIT_ATTACHED, 1);
  // trusted_schema: a damaged or foreign file must not run functions hidden in its schema.
  // mmap: a disk error would be a signal instead of a result.
  // secure_delete: Debian turns it on, and it doubles the work of every change.
  auto tuned = connection->execute(
      "PRAGMA trusted_schema=OFF; PRAGMA mmap_size=0; PRAGMA secure_delete=OFF;"
      "PRAGMA temp_store=MEMORY; PRAGMA cell_size_check=ON;"
      "PRAGMA cache_size=-" +
      std::to_string(options.cache_bytes / 1024));
  if (!tuned) return std::move(tuned).error();
  return connection;
}

Status Connection::execute(const std::string& sql) {
  const int code = sqlite3_exec(handle(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return error(code);
  return Done{};
}

Result<std::int64_t> Connection::query_integer(const std::string& sql) {
  Statement statement(*this, sql);
  auto rows = statement.query();
  auto found = rows.next();
  if (!found) return std::move(found).error();
  return *found ? rows.integer(0) : 0;
}

Error Connection::error(int code) const {
  const Meaning* meaning = meaning_of(code);
  std::string text = "database " + file_.string() + ": ";
  text += meaning != nullptr ? meaning->text : "unexpected failure";
  text.append(" (").append(sqlite3_errstr(code));
  const auto add = [&text](std::string_view detail) {
    if (!detail.empty()) text.append("; ").append(detail);
  };
  if (db_ && sqlite3_errcode(handle()) != SQLITE_OK) {
    const std::string_view detail = sqlite3_errmsg(handle());
    if (detail != sqlite3_errstr(code)) add(detail);
    const int system = sqlite3_system_errno(handle());
    if (system != 0 && (code & 0xFF) == SQLITE_IOERR) add(std::generic_category().message(system));
    if ((code & 0xFF) == SQLITE_CANTOPEN) add(why_not_opened(file_));
  }
  return {meaning != nullptr ? meaning->code : ErrorCode::bug, text + ")"};
}

}  // namespace heddle::store

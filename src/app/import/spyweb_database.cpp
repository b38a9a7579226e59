#include "app/import/spyweb_database.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include <boost/json/parse.hpp>
#include <fcntl.h>
#include <fmt/format.h>

#include "base/file_descriptor.hpp"

namespace heddle::app {

namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr int kMaxValueBytes = 16 << 20;
constexpr std::uint64_t kNanosecondsPerMillisecond = 1'000'000;

// SQLite locks these bytes of a file while a connection has it open in WAL mode.
constexpr off_t kFirstSharedByte = 0x40000002;
constexpr off_t kSharedBytes = 510;

bool is_open_elsewhere(const fs::path& file) {
  const FileDescriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = kFirstSharedByte;
  lock.l_len = kSharedBytes;
  return descriptor && fcntl(descriptor.get(), F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

fs::path with_suffix(fs::path file, const char* suffix) {
  file += suffix;
  return file;
}

Error not_of_spyweb(const fs::path& file) {
  return {ErrorCode::bad_input,
          fmt::format("{} is an SQLite database, but not one of SpyWeb: it has no table records "
                      "(job_id, rev_ts, json)",
                      file.string())};
}

// A view or a virtual table would run what its author wrote.
Status check_tables(store::Connection& db, const fs::path& file) {
  auto tables = db.query_integer(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'records'"
      " AND rootpage > 0");
  if (!tables) return std::move(tables).error();
  if (*tables != 1) return not_of_spyweb(file);
  auto columns = db.query_integer(
      "SELECT count(*) FROM pragma_table_xinfo('records')"
      " WHERE name IN ('job_id', 'rev_ts', 'json') AND hidden = 0");
  if (!columns) return std::move(columns).error();
  return *columns == 3 ? Status(Done{}) : Status(not_of_spyweb(file));
}

Status check_pages(store::Connection& db, const fs::path& file) {
  store::Statement check(db, "PRAGMA quick_check(1)");
  auto rows = check.query();
  auto found = rows.next();
  if (found && *found && rows.text(0) == "ok") return Done{};
  const std::string why = found ? std::string(rows.text(0)) : found.error().message;
  return Error{ErrorCode::corrupt,
               fmt::format("SpyWeb's database {} is damaged, so nothing was imported: {}",
                           file.string(), why)};
}

std::string text_of(const json::value& value) {
  const auto* text = value.if_string();
  return text == nullptr ? std::string() : std::string(*text);
}

// SpyWeb counts nanoseconds.
WallTime time_of(const json::object& record, std::int64_t otherwise) {
  const auto* given = record.if_contains("timestamp");
  boost::system::error_code no_number;
  auto nanoseconds = given == nullptr ? 0 : given->to_number<std::uint64_t>(no_number);
  if (no_number || nanoseconds == 0)
    nanoseconds = static_cast<std::uint64_t>(std::max<std::int64_t>(otherwise, 0));
  const auto time = WallTime(std::chrono::milliseconds(
      static_cast<std::int64_t>(nanoseconds / kNanosecondsPerMillisecond)));
  return std::min(time, SystemClock().now());
}

std::optional<SpywebRecord> parse_record(std::string_view text, std::int64_t rev_ts) {
  boost::system::error_code broken;
  const json::value parsed = json::parse({text.data(), text.size()}, broken);
  const auto* record = broken ? nullptr : parsed.if_object();
  const auto* given = record == nullptr ? nullptr : record->if_contains("fields");
  const auto* fields = given == nullptr ? nullptr : given->if_object();
  if (fields == nullptr) return std::nullopt;
  SpywebRecord read;
  for (const auto& field : *fields) {
    if (!field.value().is_string()) return std::nullopt;
    read.item.fields.emplace_back(std::string(field.key()), text_of(field.value()));
  }
  std::sort(read.item.fields.begin(), read.item.fields.end());
  const auto* matches = record->if_contains("match_key");
  if (matches != nullptr && matches->is_array())
    for (const json::value& match : matches->get_array())
      read.item.matches.push_back(text_of(match));
  read.first_seen = time_of(*record, rev_ts);
  return read;
}

}  // namespace

Status copy_spyweb_database(const fs::path& file, const fs::path& copy) {
  if (is_open_elsewhere(file))
    return Error{ErrorCode::conflict,
                 fmt::format("another program has {} open: stop SpyWeb first", file.string())};
  for (const char* suffix : {"", "-wal"}) {
    const fs::path from = with_suffix(file, suffix);
    std::error_code failure;
    if (*suffix != '\0' && !fs::is_regular_file(fs::symlink_status(from, failure))) continue;
    fs::copy_file(from, with_suffix(copy, suffix), failure);
    if (failure)
      return Error{ErrorCode::unavailable,
                   fmt::format("cannot copy {}: {}", from.string(), failure.message())};
  }
  return Done{};
}

SpywebRecords::SpywebRecords(std::unique_ptr<store::Connection> db)
    : db_(std::move(db)),
      select_(*db_, "SELECT job_id, rev_ts, json FROM records NOT INDEXED ORDER BY rowid") {}

Result<std::unique_ptr<SpywebRecords>> SpywebRecords::open(const fs::path& copy) {
  auto db = store::Connection::open(copy, {});
  if (!db) return std::move(db).error();
  sqlite3_limit((*db)->handle(), SQLITE_LIMIT_LENGTH, kMaxValueBytes);
  sqlite3_db_config((*db)->handle(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  if (auto whole = check_pages(**db, copy); !whole) return std::move(whole).error();
  if (auto known = check_tables(**db, copy); !known) return std::move(known).error();
  return std::unique_ptr<SpywebRecords>(new SpywebRecords(std::move(*db)));
}

Result<std::optional<SpywebRecord>> SpywebRecords::next() {
  if (!rows_) rows_.emplace(select_.query());
  while (true) {
    auto more = rows_->next();
    if (!more) return std::move(more).error();
    if (!*more) return std::optional<SpywebRecord>();
    auto record = parse_record(rows_->text(2), rows_->integer(1));
    if (!record) {
      ++unreadable_;
      continue;
    }
    record->job = rows_->text(0);
    return std::optional(std::move(*record));
  }
}

Result<std::int64_t> SpywebRecords::count(const std::string& table) {
  auto tables = db_->query_integer(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name = '" +
      table + "'");
  if (!tables || *tables == 0) return tables;
  return db_->query_integer("SELECT count(*) FROM " + table);
}

Result<std::int64_t> SpywebRecords::seen_marks() {
  return count("seen");
}

Result<std::int64_t> SpywebRecords::script_values() {
  return count("lua_user");
}

}  // namespace heddle::app

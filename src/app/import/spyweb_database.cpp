#include "app/import/spyweb_database.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include <boost/json/parse.hpp>
#include <fcntl.h>
#include <fmt/format.h>

#include "app/maintenance/file_operations.hpp"
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

Error not_of_spyweb(const fs::path& file) {
  return {ErrorCode::bad_input,
          fmt::format("{} is an SQLite database, but not one of SpyWeb: it has no table records "
                      "(job_id, rev_ts, json); nothing was imported. Move the file elsewhere to "
                      "import only the jobs",
                      file.string())};
}

Error damaged(const fs::path& file, std::string_view why) {
  return {
      ErrorCode::corrupt,
      fmt::format("SpyWeb's database {0} is damaged, so nothing was imported: {1}. Put a backup "
                  "in its place, or what `sqlite3 {0} .recover` can save; move the file "
                  "elsewhere to import only the jobs",
                  file.string(), why)};
}

// SQLite reads a copy, whose name and whose repair help no one.
Error about_original(const Error& error, const fs::path& original) {
  if (error.code == ErrorCode::corrupt) return damaged(original, "it cannot be read");
  return {error.code, fmt::format("{} cannot be read: {}", original.string(), error.message)};
}

Status check_pages(store::Connection& db, const fs::path& original) {
  store::Statement check(db, "PRAGMA quick_check(1)");
  auto rows = check.query();
  auto found = rows.next();
  if (!found) return about_original(found.error(), original);
  if (*found && rows.text(0) == "ok") return Done{};
  return damaged(original, rows.text(0));
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

SpywebRecords::SpywebRecords(std::unique_ptr<store::Connection> db, fs::path original)
    : db_(std::move(db)),
      original_(std::move(original)),
      select_(*db_, "SELECT job_id, rev_ts, json FROM records NOT INDEXED ORDER BY rowid"),
      select_values_(*db_, "SELECT key, value FROM lua_user WHERE key > ? ORDER BY key LIMIT ?") {}

Result<std::unique_ptr<SpywebRecords>> SpywebRecords::open(const fs::path& copy,
                                                           const fs::path& original) {
  auto db = store::Connection::open(copy, {});
  if (!db) return about_original(db.error(), original);
  sqlite3_limit((*db)->handle(), SQLITE_LIMIT_LENGTH, kMaxValueBytes);
  sqlite3_db_config((*db)->handle(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  if (auto whole = check_pages(**db, original); !whole) return std::move(whole).error();
  auto records = std::unique_ptr<SpywebRecords>(new SpywebRecords(std::move(*db), original));
  // A view or a virtual table would run what its author wrote.
  auto has_records = records->has_table("records", "'job_id', 'rev_ts', 'json'");
  if (!has_records) return std::move(has_records).error();
  if (!*has_records) return not_of_spyweb(original);
  return records;
}

Result<std::optional<SpywebRecord>> SpywebRecords::next() {
  if (!rows_) rows_.emplace(select_.query());
  while (true) {
    auto more = rows_->next();
    if (!more) return about_original(more.error(), original_);
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

// With these columns, as a list of SQL texts.
Result<bool> SpywebRecords::has_table(const std::string& name, const std::string& columns) {
  auto found = db_->query_integer(
      "SELECT count(*) FROM pragma_table_xinfo('" + name + "') WHERE name IN (" + columns +
      ") AND hidden = 0 AND EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table'"
      " AND rootpage > 0 AND name = '" +
      name + "')");
  if (!found) return about_original(found.error(), original_);
  return *found == 1 + std::count(columns.begin(), columns.end(), ',');
}

Result<std::int64_t> SpywebRecords::seen_marks() {
  auto has_any = has_table("seen", "'hash'");
  if (!has_any) return std::move(has_any).error();
  if (!*has_any) return 0;
  auto count = db_->query_integer("SELECT count(*) FROM seen");
  if (!count) return about_original(count.error(), original_);
  return count;
}

Result<std::vector<SpywebScriptValue>> SpywebRecords::script_values(const std::string& after,
                                                                    std::size_t max) {
  std::vector<SpywebScriptValue> values;
  auto has_any = has_table("lua_user", "'key', 'value'");
  if (!has_any) return std::move(has_any).error();
  if (!*has_any) return values;
  auto rows = select_values_.query(after, static_cast<std::int64_t>(max));
  while (true) {
    auto more = rows.next();
    if (!more) return about_original(more.error(), original_);
    if (!*more) return values;
    values.push_back({std::string(rows.text(0)), std::string(rows.text(1))});
  }
}

}  // namespace heddle::app

#include "store/sqlite/repair/repaired_copy.hpp"

#include <algorithm>
#include <cerrno>
#include <set>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_descriptor.hpp"
#include "store/scripts/script_schema.hpp"
#include "store/sqlite/core/schema.hpp"
#include "store/sqlite/core/statement.hpp"
#include "store/sqlite/repair/raw_page.hpp"

namespace heddle::store {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kMagic{"SQLite format 3\0", 16};
// Offsets in the file header.
constexpr std::size_t kPageSize = 16;
constexpr std::size_t kWriteFormat = 18;  // then the read format: 1 without WAL, 2 with it
constexpr std::size_t kChangeCounter = 24;
constexpr std::size_t kPageCount = 28;
constexpr std::size_t kFreePages = 32;  // the first of them, then their number
constexpr std::size_t kUserVersion = 60;
constexpr std::size_t kValidFor = 92;
// Pointer map entries: type and parent of a page.
constexpr std::uint32_t kMapEntries = kPageBytes / 5;
constexpr std::uint32_t kBelowAnother = 5;

Error failed(std::string_view what, const fs::path& file) {
  return {ErrorCode::unavailable, "cannot " + std::string(what) + " " + file.string() + ": " +
                                      std::generic_category().message(errno)};
}

fs::path beside(const fs::path& file, std::string_view suffix) {
  fs::path name = file;
  name += suffix;
  return name;
}

void remove_database(const fs::path& file) {
  std::error_code ignored;
  for (const char* part : {"", "-wal", "-shm", "-journal"}) fs::remove(beside(file, part), ignored);
}

// Reads the file by pages; reads zeros after its end.
class PageFile {
 public:
  static Result<PageFile> open(const fs::path& file) {
    FileDescriptor descriptor(::open(file.c_str(), O_RDWR | O_CLOEXEC));
    if (!descriptor) return failed("open", file);
    struct stat facts {};
    if (fstat(descriptor.get(), &facts) != 0) return failed("inspect", file);
    const auto size = static_cast<std::uint64_t>(facts.st_size);
    return PageFile(std::move(descriptor), file, (size + kPageBytes - 1) / kPageBytes);
  }

  [[nodiscard]] std::uint32_t count() const { return count_; }

  Result<RawPage> read(std::uint32_t page) const {
    std::string bytes(kPageBytes, '\0');
    std::size_t done = 0;
    while (done < kPageBytes) {
      const ssize_t some = pread(descriptor_.get(), bytes.data() + done, kPageBytes - done,
                                 offset(page) + static_cast<off_t>(done));
      if (some < 0 && errno == EINTR) continue;
      if (some < 0) return failed("read", file_);
      if (some == 0) break;
      done += static_cast<std::size_t>(some);
    }
    return RawPage(std::move(bytes));
  }

  Status write(std::uint32_t page, const RawPage& raw) const {
    const auto& bytes = raw.bytes();
    const ssize_t written = pwrite(descriptor_.get(), bytes.data(), bytes.size(), offset(page));
    if (written != static_cast<ssize_t>(bytes.size())) return failed("write", file_);
    return Done{};
  }

  // Completes the last page.
  Status round_up() const {
    if (ftruncate(descriptor_.get(), offset(count_ + 1)) != 0) return failed("write", file_);
    return Done{};
  }

 private:
  PageFile(FileDescriptor descriptor, fs::path file, std::uint64_t count)
      : descriptor_(std::move(descriptor)),
        file_(std::move(file)),
        count_(static_cast<std::uint32_t>(std::min<std::uint64_t>(count, UINT32_MAX - 1))) {}
  static off_t offset(std::uint32_t page) {
    return (static_cast<off_t>(page) - 1) * static_cast<off_t>(kPageBytes);
  }

  FileDescriptor descriptor_;
  fs::path file_;
  std::uint32_t count_ = 0;
};

// Files with auto-vacuum map every page to its parent. Free pages may still look like what they
// were.
Result<bool> is_mapped_to_first_page(const PageFile& file, std::uint32_t page) {
  const std::uint32_t map = (page - 2) / (kMapEntries + 1) * (kMapEntries + 1) + 2;
  if (map == page) return false;
  auto raw = file.read(map);
  if (!raw) return std::move(raw).error();
  const std::size_t entry = 5 * static_cast<std::size_t>(page - map - 1);
  return raw->number(entry, 1) == kBelowAnother && raw->number(entry + 1, 4) == 1;
}

void drop_overlapping(std::vector<SchemaLeaf>& leaves) {
  std::sort(leaves.begin(), leaves.end(),
            [](const SchemaLeaf& a, const SchemaLeaf& b) { return a.first_row < b.first_row; });
  std::vector<SchemaLeaf> kept;
  for (const SchemaLeaf& leaf : leaves)
    if (kept.empty() || leaf.first_row > kept.back().last_row) kept.push_back(leaf);
  leaves = std::move(kept);
}

// Finds the leaf pages of the schema table, whose root was the first page.
Result<std::vector<SchemaLeaf>> find_schema(const PageFile& file) {
  std::vector<SchemaLeaf> likely;
  std::vector<SchemaLeaf> certain;
  for (std::uint32_t page = 2; page <= file.count(); ++page) {
    auto raw = file.read(page);
    if (!raw) return std::move(raw).error();
    const auto rows = raw->schema_rows();
    if (!rows) continue;
    likely.push_back({page, rows->front(), rows->back()});
    auto is_certain = is_mapped_to_first_page(file, page);
    if (!is_certain) return std::move(is_certain).error();
    if (*is_certain) certain.push_back(likely.back());
  }
  std::vector<SchemaLeaf>& found = certain.empty() ? likely : certain;
  drop_overlapping(found);
  return found;
}

using Lines = std::set<std::string>;

Result<Lines> schema_lines(const fs::path& file) {
  auto db = Connection::open(file, {.read_only = true});
  if (!db) return std::move(db).error();
  Statement select(**db,
                   "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema"
                   " WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'");
  Lines lines;
  auto rows = select.query();
  while (true) {
    auto more = rows.next();
    if (!more) return std::move(more).error();
    if (!*more) return lines;
    lines.emplace(rows.text(0));
  }
}

// An empty file of the kind, at any version.
class SchemaTemplate {
 public:
  explicit SchemaTemplate(const fs::path& near) : file_(beside(near, ".template.repairing")) {
    remove_database(file_);
  }
  ~SchemaTemplate() { remove_database(file_); }
  SchemaTemplate(const SchemaTemplate&) = delete;
  SchemaTemplate& operator=(const SchemaTemplate&) = delete;

  Status make(DatabaseKind kind, std::size_t version) const {
    remove_database(file_);
    if (kind == DatabaseKind::scripts) return make_script_file(file_);
    auto db = Connection::open(file_, {});
    if (!db) return std::move(db).error();
    if (auto set = (*db)->execute("PRAGMA synchronous=OFF"); !set) return set;
    return migrate(**db, migrations().first(version));
  }

  Result<RawPage> first_page() const {
    auto pages = PageFile::open(file_);
    if (!pages) return std::move(pages).error();
    return pages->read(1);
  }

  [[nodiscard]] Result<Lines> lines() const { return schema_lines(file_); }

 private:
  fs::path file_;
};

// Returns the newest version whose tables all exist.
Result<std::size_t> version_of(const fs::path& copy, const SchemaTemplate& model) {
  auto there = schema_lines(copy);
  if (!there) return std::move(there).error();
  for (std::size_t version = migrations().size(); version > 0; --version) {
    if (auto made = model.make(DatabaseKind::engine, version); !made)
      return std::move(made).error();
    auto wanted = model.lines();
    if (!wanted) return std::move(wanted).error();
    if (std::includes(there->begin(), there->end(), wanted->begin(), wanted->end())) return version;
  }
  return Error{ErrorCode::corrupt, "its tables are those of no version of Heddle"};
}

class Repairer {
 public:
  Repairer(PageFile pages, fs::path copy, DatabaseKind kind)
      : pages_(std::move(pages)), copy_(std::move(copy)), kind_(kind), model_(copy_) {}

  Result<RepairedCopy> run() {
    if (auto rounded = pages_.round_up(); !rounded) return std::move(rounded).error();
    auto first = pages_.read(1);
    if (!first) return std::move(first).error();
    if (first->bytes().starts_with(kMagic) && first->number(kPageSize, 2) == kPageBytes) {
      if (auto put = put_first(std::move(*first)); !put) return std::move(put).error();
      return RepairedCopy{};
    }
    return rebuild();
  }

 private:
  // The header may be wrong: pages after the end of the file are missing.
  Status put_first(RawPage page) const {
    page.put(kPageCount, 4, pages_.count());
    page.put(kValidFor, 4, page.number(kChangeCounter, 4));
    page.put(kFreePages, 4, 0);
    page.put(kFreePages + 4, 4, 0);
    return pages_.write(1, page);
  }

  Result<RepairedCopy> rebuild() {
    if (auto made = model_.make(kind_, migrations().size()); !made) return std::move(made).error();
    auto model = model_.first_page();
    if (!model) return std::move(model).error();
    auto leaves = find_schema(pages_);
    if (!leaves) return std::move(leaves).error();
    if (!leaves->empty()) return rebuild_from(*leaves, *model);
    if (kind_ == DatabaseKind::scripts) return restore_known_tables(std::move(*model));
    return Error{ErrorCode::corrupt, "its first page and the list of tables are lost"};
  }

  Result<RepairedCopy> rebuild_from(const std::vector<SchemaLeaf>& leaves, const RawPage& model) {
    auto root = schema_root(std::string_view(model.bytes()).substr(0, kHeaderBytes), leaves);
    if (!root) return Error{ErrorCode::corrupt, "its list of tables is too long"};
    root->put(kWriteFormat, 2, 0x0101);
    if (auto put = put_first(*root); !put) return std::move(put).error();
    if (kind_ == DatabaseKind::scripts) return RepairedCopy{};
    auto version = version_of(copy_, model_);
    if (!version) return std::move(version).error();
    root->put(kUserVersion, 4, static_cast<std::uint32_t>(*version));
    if (auto put = put_first(std::move(*root)); !put) return std::move(put).error();
    return RepairedCopy{};
  }

  // The key-value table is created first, at the same page in every file.
  Result<RepairedCopy> restore_known_tables(RawPage model) const {
    model.put(kWriteFormat, 2, 0x0101);
    if (auto put = put_first(std::move(model)); !put) return std::move(put).error();
    return RepairedCopy{.has_lost_table_names = true};
  }

  PageFile pages_;
  fs::path copy_;
  DatabaseKind kind_;
  SchemaTemplate model_;
};

}  // namespace

Result<RepairedCopy> make_repaired_copy(const fs::path& damaged, const fs::path& copy,
                                        DatabaseKind kind) {
  std::error_code failure;
  for (const char* part : {"", "-wal"}) {
    if (*part != '\0' && !fs::exists(beside(damaged, part), failure)) continue;
    if (!fs::copy_file(beside(damaged, part), beside(copy, part), failure))
      return Error{ErrorCode::unavailable,
                   "cannot copy " + beside(damaged, part).string() + ": " + failure.message()};
  }
  fs::permissions(copy, fs::perms::owner_read | fs::perms::owner_write, failure);
  auto pages = PageFile::open(copy);
  if (!pages) return std::move(pages).error();
  return Repairer(std::move(*pages), copy, kind).run();
}

}  // namespace heddle::store

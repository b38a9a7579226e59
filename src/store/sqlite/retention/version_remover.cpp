#include "store/sqlite/retention/version_remover.hpp"

namespace heddle::store {

namespace {

constexpr std::int64_t kRowBytes = 60;  // a version without its content, indexes included

}  // namespace

VersionRemover::VersionRemover(Connection& db)
    : has_neighbours_(db,
                      "SELECT EXISTS (SELECT 1 FROM versions WHERE page = ?1 AND id < ?2)"
                      " AND EXISTS (SELECT 1 FROM versions WHERE page = ?1 AND id > ?2)"),
      any_of_page_(db, "SELECT id, content FROM versions WHERE page = ? LIMIT 1"),
      delete_version_(db, "DELETE FROM versions WHERE id = ?"),
      find_unused_(db,
                   "SELECT hash, length(zstd) FROM contents WHERE id = ?1 AND NOT EXISTS"
                   " (SELECT 1 FROM versions WHERE content = ?1)"),
      delete_content_(db, "DELETE FROM contents WHERE id = ?") {}

Result<bool> VersionRemover::is_between_others(std::int64_t version, std::int64_t page) {
  auto rows = has_neighbours_.query(page, version);
  auto found = rows.next();
  if (!found) return std::move(found).error();
  return *found && rows.integer(0) != 0;
}

Result<std::int64_t> VersionRemover::remove(std::int64_t version, std::int64_t content) {
  if (auto done = delete_version_.run(version); !done) return std::move(done).error();
  std::int64_t bytes = kRowBytes;
  {
    auto rows = find_unused_.query(content);
    auto found = rows.next();
    if (!found) return std::move(found).error();
    if (!*found) return bytes;
    gone_.push_back(rows.hash(0));
    bytes += rows.integer(1);
  }
  if (auto done = delete_content_.run(content); !done) return std::move(done).error();
  return bytes;
}

Result<bool> VersionRemover::remove_one_of(std::int64_t page) {
  std::int64_t version = 0;
  std::int64_t content = 0;
  {
    auto rows = any_of_page_.query(page);
    auto found = rows.next();
    if (!found || !*found) return found;
    version = rows.integer(0);
    content = rows.integer(1);
  }
  auto removed = remove(version, content);
  if (!removed) return std::move(removed).error();
  return true;
}

}  // namespace heddle::store

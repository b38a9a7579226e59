#include "store/sqlite/tables/pages/page_rows.hpp"

#include "base/hash.hpp"

namespace heddle::store {

PageRows::PageRows(Connection& db)
    : select_url_(db, "SELECT id FROM urls WHERE hash = ? AND url = ?"),
      select_page_(db,
                   "SELECT id, final_url, last_seen, keys_hash, etag, last_modified, body_hash,"
                   " text_hash, rules_hash, item_count, key_matches, finding_kind, finding,"
                   " fields_hash"
                   " FROM pages WHERE job = ? AND url = ?") {}

std::int64_t url_hash(std::string_view url) {
  return static_cast<std::int64_t>(hash64(url));
}

Result<std::int64_t> PageRows::find_url(const std::string& url) {
  auto rows = select_url_.query(url_hash(url), url);
  auto found = rows.next();
  if (!found) return std::move(found).error();
  return *found ? rows.integer(0) : 0;
}

Result<std::optional<PageRow>> PageRows::find(std::int64_t job, std::int64_t url) {
  auto rows = select_page_.query(job, url);
  auto found = rows.next();
  if (!found) return std::move(found).error();
  if (!*found) return std::optional<PageRow>();
  PageRow page{.id = rows.integer(0),
               .final_url = rows.integer(1),
               .last_seen = rows.integer(2),
               .keys_hash = rows.integer(3),
               .memory = {}};
  page.memory = {.etag = std::string(rows.text(4)),
                 .last_modified = std::string(rows.text(5)),
                 .body_hash = rows.hash(6),
                 .text_hash = rows.hash(7),
                 .rules_hash = rows.hash(8),
                 .item_count = rows.integer(9)};
  if (!rows.is_null(10)) page.memory.key_matches = std::string(rows.text(10));
  if (!rows.is_null(11))
    page.memory.finding = {error_kind_from(rows.text(11)), std::string(rows.text(12)), ""};
  if (!rows.is_null(13)) page.memory.fields_hash = rows.hash(13);
  return std::optional(std::move(page));
}

}  // namespace heddle::store

#include "store/sqlite/tables/pages/body_rows.hpp"

#include <zstd.h>

namespace heddle::store {

Result<std::string> decompress_body(std::string_view zstd, std::int64_t size) {
  const Error damaged{ErrorCode::corrupt, "a stored page body is damaged"};
  if (size < 0 || size > kMaxBodyBytes) return damaged;
  // Checked before memory is reserved: a damaged size must not exhaust it.
  const auto declared = ZSTD_getFrameContentSize(zstd.data(), zstd.size());
  const auto expected = static_cast<unsigned long long>(size);
  if (declared != expected && declared != ZSTD_CONTENTSIZE_UNKNOWN) return damaged;
  std::string body(static_cast<std::size_t>(size), '\0');
  const std::size_t got = ZSTD_decompress(body.data(), body.size(), zstd.data(), zstd.size());
  if (ZSTD_isError(got) != 0 || got != body.size()) return damaged;
  return body;
}

BodyRows::BodyRows(Connection& db)
    : select_(db,
              "SELECT c.zstd, c.size FROM pages p JOIN versions v ON v.page = p.id"
              " JOIN contents c ON c.id = v.content"
              " WHERE p.job = ?1 AND (p.url = ?2 OR p.final_url = ?2)"
              " ORDER BY p.url = ?2 DESC, v.id DESC LIMIT 1"),
      pages_(db) {}

Result<std::optional<std::string>> BodyRows::newest(std::int64_t job, const std::string& url) {
  auto url_number = pages_.find_url(url);
  if (!url_number) return std::move(url_number).error();
  auto rows = select_.query(job, *url_number);
  auto found = rows.next();
  if (!found) return std::move(found).error();
  if (!*found) return std::optional<std::string>();
  auto body = decompress_body(rows.blob(0), rows.integer(1));
  if (!body) return std::move(body).error().during("cannot read the stored body of " + url);
  return std::optional(std::move(*body));
}

namespace {

// The page of job ?1 with url ?2.
constexpr const char* kPage =
    "(SELECT id FROM pages WHERE job = ?1 AND (url = ?2 OR final_url = ?2)"
    " ORDER BY url = ?2 DESC LIMIT 1)";

}  // namespace

VersionRows::VersionRows(Connection& db)
    : select_versions_(db, std::string("SELECT v.id, v.at, r.id, c.size FROM versions v"
                                       " JOIN contents c ON c.id = v.content"
                                       " LEFT JOIN runs r ON r.number = v.run WHERE v.page = ") +
                               kPage + " ORDER BY v.id DESC LIMIT ?3"),
      select_body_(db, std::string("SELECT c.zstd, c.size FROM versions v"
                                   " JOIN contents c ON c.id = v.content"
                                   " WHERE v.id = ?3 AND v.page = ") +
                           kPage),
      select_pages_(db,
                    "SELECT u.url, (SELECT max(id) FROM versions WHERE page = p.id) AS newest"
                    " FROM pages p JOIN urls u ON u.id = p.url WHERE p.job = ?1"
                    " AND newest NOT NULL ORDER BY newest DESC LIMIT ?2"),
      pages_(db) {}

Result<std::vector<PageVersion>> VersionRows::of_page(std::int64_t job, const std::string& url,
                                                      std::size_t max) {
  auto url_number = pages_.find_url(url);
  if (!url_number) return std::move(url_number).error();
  std::vector<PageVersion> versions;
  auto rows = select_versions_.query(job, *url_number, static_cast<std::int64_t>(max));
  while (true) {
    auto more = rows.next();
    if (!more) return std::move(more).error();
    if (!*more) return versions;
    versions.push_back(
        {rows.integer(0), rows.time(1), RunId{std::string(rows.text(2))}, rows.integer(3)});
  }
}

Result<std::optional<std::string>> VersionRows::body(std::int64_t job, const std::string& url,
                                                     std::int64_t version) {
  auto url_number = pages_.find_url(url);
  if (!url_number) return std::move(url_number).error();
  auto rows = select_body_.query(job, *url_number, version);
  auto found = rows.next();
  if (!found) return std::move(found).error();
  if (!*found) return std::optional<std::string>();
  auto body = decompress_body(rows.blob(0), rows.integer(1));
  if (!body) return std::move(body).error().during("read version " + std::to_string(version));
  return std::optional(std::move(*body));
}

Result<std::vector<std::string>> VersionRows::pages(std::int64_t job, std::size_t max) {
  std::vector<std::string> urls;
  auto rows = select_pages_.query(job, static_cast<std::int64_t>(max));
  while (true) {
    auto more = rows.next();
    if (!more) return std::move(more).error();
    if (!*more) return urls;
    urls.emplace_back(rows.text(0));
  }
}

}  // namespace heddle::store

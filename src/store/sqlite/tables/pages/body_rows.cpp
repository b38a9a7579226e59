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

}  // namespace heddle::store

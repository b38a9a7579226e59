// Reads the stored versions of pages and their bodies. Same thread as its connection.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/run/page_diff.hpp"
#include "store/sqlite/core/statement.hpp"
#include "store/sqlite/tables/pages/page_rows.hpp"

namespace heddle::store {

inline constexpr std::int64_t kMaxBodyBytes = 256 << 20;  // of one body, decompressed

// `size` is the size stored in the database: any other size is damage.
Result<std::string> decompress_body(std::string_view zstd, std::int64_t size);

class BodyRows {
 public:
  explicit BodyRows(Connection& db);

  // `url` is the job's url or the final one after redirects.
  Result<std::optional<std::string>> newest(std::int64_t job, const std::string& url);

 private:
  Statement select_;
  PageRows pages_;
};

// As Reader::versions() and the methods after it.
class VersionRows {
 public:
  explicit VersionRows(Connection& db);

  Result<std::vector<PageVersion>> of_page(std::int64_t job, const std::string& url,
                                           std::size_t max);
  Result<std::optional<std::string>> body(std::int64_t job, const std::string& url,
                                          std::int64_t version);
  Result<std::vector<std::string>> pages(std::int64_t job, std::size_t max);

 private:
  Statement select_versions_;
  Statement select_body_;
  Statement select_pages_;
  PageRows pages_;
};

}  // namespace heddle::store

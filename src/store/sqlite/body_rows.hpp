// Reads kept page bodies back. Same thread as its connection.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "store/sqlite/page_rows.hpp"
#include "store/sqlite/statement.hpp"

namespace heddle::store {

inline constexpr std::int64_t kMaxBodyBytes = 256 << 20;  // of one body, decompressed

// `size` is what the database says it should be: anything else is damage.
Result<std::string> decompress_body(std::string_view zstd, std::int64_t size);

class BodyRows {
 public:
  explicit BodyRows(Connection& db);

  // `url` as the job names the page, or where it was redirected to.
  Result<std::optional<std::string>> newest(std::int64_t job, const std::string& url);

 private:
  Statement select_;
  PageRows pages_;
};

}  // namespace heddle::store

// Reads stored page bodies. Same thread as its connection.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
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

}  // namespace heddle::store

// Finds pages and urls; used by the writer, the store's reader thread and SqliteReader.
// Same thread as its connection.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "model/run/page_result.hpp"
#include "store/sqlite/core/statement.hpp"

namespace heddle::store {

struct PageRow {
  std::int64_t id = 0;
  std::int64_t final_url = 0;
  std::int64_t last_seen = 0;
  std::int64_t keys_hash = 0;
  PageMemory memory;
};

class PageRows {
 public:
  explicit PageRows(Connection& db);

  Result<std::int64_t> find_url(const std::string& url);  // 0: unknown
  Result<std::optional<PageRow>> find(std::int64_t job, std::int64_t url);

 private:
  Statement select_url_;
  Statement select_page_;
};

// Urls are indexed by this hash: shorter than an index of the texts.
std::int64_t url_hash(std::string_view url);

}  // namespace heddle::store

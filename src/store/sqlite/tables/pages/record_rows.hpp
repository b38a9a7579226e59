// Reads the items of a job as records in batches. Same thread as its connection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "model/run/item.hpp"
#include "store/sqlite/core/statement.hpp"

namespace heddle::store {

// Holds the items that are on a page now and when the newest such page was last seen. About 16
// bytes per listed item.
class ListedItems {
 public:
  void add_page(std::string_view encoded_prefixes, std::int64_t last_seen);
  void finish();  // after the last page, before the first lookup

  [[nodiscard]] std::optional<std::int64_t> last_seen(std::uint64_t key_prefix) const;

 private:
  struct Entry {
    std::uint64_t prefix;
    std::int64_t last_seen;
  };
  std::vector<Entry> entries_;  // sorted by prefix, unique
};

class RecordRows {
 public:
  explicit RecordRows(Connection& db);

  // Start of the next batch: newest first, ties by id.
  struct Cursor {
    std::int64_t first_seen = INT64_MAX;
    std::int64_t id = INT64_MAX;
  };

  Result<ListedItems> listed(std::int64_t job);
  Result<std::vector<Record>> read(std::int64_t job, std::int64_t since, Cursor& cursor,
                                   const ListedItems& listed);

 private:
  Statement select_keys_;
  Statement select_items_;
};

}  // namespace heddle::store

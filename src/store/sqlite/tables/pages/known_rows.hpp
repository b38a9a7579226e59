// Looks up which keys and contents are stored. Same thread as its connection.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.hpp"
#include "store/sqlite/core/statement.hpp"
#include "store/sqlite/tables/job_numbers.hpp"
#include "store/sqlite/tables/pages/page_rows.hpp"
#include "store/store.hpp"

namespace heddle::store {

class KnownRows {
 public:
  KnownRows(Connection& db, JobNumbers& jobs);

  // Skips what `answer` already marks as known.
  Status look_up(const KnownQuery& query, KnownAnswer& answer);

  // Whether the page lists an item that has left the page that followed it, and none follows now.
  Result<bool> takes_over_items(std::int64_t job, std::int64_t page);

 private:
  Result<bool> has_key(std::int64_t job, const Hash128& key);
  Status look_up_items(std::int64_t job, const KnownQuery& query, KnownAnswer& answer);
  Result<std::optional<StoredItem>> find_item(std::int64_t job, const Hash128& key,
                                              std::int64_t page, std::int64_t completed_at);
  // When the newest complete run of the job began; 0: none.
  Result<std::int64_t> last_complete_run(std::int64_t job);

  JobNumbers& jobs_;
  Statement select_key_;
  Statement select_content_;
  Statement select_item_;
  Statement select_left_item_;
  Statement select_run_;
  PageRows pages_;
};

}  // namespace heddle::store

// Stores what becomes of items that a job follows by their key: changed, gone, back. Writer thread
// only.
#pragma once

#include <cstdint>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "model/run/page_result.hpp"
#include "store/sqlite/core/statement.hpp"
#include "store/sqlite/tables/pages/item_table.hpp"
#include "store/sqlite/tables/pages/key_prefixes.hpp"

namespace heddle::store {

struct UpdatedItems {
  KeyPrefixes adopted{};  // items that no page followed and this one follows now; not sorted
  std::int64_t changed = 0;
};

class FollowedItems {
 public:
  FollowedItems(Connection& db, ItemTable& items);

  // Stores the items of the page as it shows them, and what changed about them.
  Result<UpdatedItems> update(const HeldTask& task, const PageResult& page, std::int64_t page_id);

  // The page was read without these items. `gone_after`: how many whole readings without an item,
  // this one included, make it count as gone.
  Status leave(std::int64_t job, const KeyPrefixes& prefixes, std::int64_t page, int gone_after);
  // The page lists them again.
  Status come_back(std::int64_t job, const KeyPrefixes& prefixes, std::int64_t page);

  // An item is gone when every page that listed it was read whole without it often enough. Only a
  // complete run decides; one that repeats single pages counts no reading. A run that has ended is
  // left as it is.
  Status decide_gone(const RunId& run, WallTime now);

 private:
  Result<std::int64_t> find(std::int64_t job, const Hash128& key);  // 0: not stored
  Status record(const HeldTask& task, const PageResult& page, std::int64_t page_id,
                std::int64_t item, const ItemUpdate& update);

  ItemTable& items_;
  Statement find_;
  Statement update_;
  Statement insert_change_;
  Statement insert_absence_;
  Statement delete_absence_;
  Statement find_run_;
  Statement has_absences_;
  Statement count_readings_;
  Statement record_gone_;
  Statement mark_gone_;
  Statement forget_gone_;
  Statement count_gone_;
  std::string fields_;
  std::string matches_;
};

}  // namespace heddle::store

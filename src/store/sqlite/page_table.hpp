// Pages, their versions and the contents of those. Writer thread only.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "model/page_result.hpp"
#include "store/sqlite/item_table.hpp"
#include "store/sqlite/page_rows.hpp"
#include "store/sqlite/statement.hpp"
#include "store/sqlite/task_table.hpp"

namespace heddle::store {

// How a page differs from what was remembered of it.
struct PageDifference {
  std::int64_t items_gone = 0;
  bool is_changed = false;  // a version was stored that is not the first
};

class PageTable {
 public:
  PageTable(Connection& db, ItemTable& items);

  // The number of a url, given now when it has none.
  Result<std::int64_t> url_number(const std::string& url);

  // What the job stores speaks of this url, which stays as long as the job.
  Status note_use(std::int64_t job, std::int64_t url);

  // The page is as it was: moves its last_seen; returns how many items it lists.
  Result<std::int64_t> touch(const HeldTask& task, const PageResult& page);

  // Remembers all of the page. `final_url` is its number.
  Result<PageDifference> put(const HeldTask& task, const PageResult& page, std::int64_t final_url);

 private:
  struct StoredRow {
    std::int64_t id = 0;
    std::int64_t items_gone = 0;
  };

  Result<StoredRow> put_row(const HeldTask& task, const PageResult& page, std::int64_t final_url);
  // How many items are gone.
  Result<std::int64_t> put_keys(const PageRow& old, std::int64_t job, const std::string& encoded);
  // Whether there was another one before.
  Result<bool> put_version(const HeldTask& task, std::int64_t page, const PageResult& result);
  Result<std::int64_t> put_content(const Snapshot& snapshot);
  Result<std::int64_t> find_content(const Hash128& hash);

  ItemTable& items_;
  PageRows rows_;
  Statement insert_url_;
  Statement insert_use_;
  Statement touch_;
  Statement insert_page_;
  Statement update_page_;
  Statement select_keys_;
  Statement replace_keys_;
  Statement find_content_;
  Statement insert_content_;
  Statement newest_version_;
  Statement mark_between_;
  Statement insert_version_;
  Connection& db_;
};

}  // namespace heddle::store

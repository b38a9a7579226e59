// Stores pages, their versions and contents. Writer thread only.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "model/run/page_result.hpp"
#include "store/sqlite/core/statement.hpp"
#include "store/sqlite/tables/pages/followed_items.hpp"
#include "store/sqlite/tables/pages/item_table.hpp"
#include "store/sqlite/tables/pages/key_prefixes.hpp"
#include "store/sqlite/tables/pages/page_rows.hpp"
#include "store/sqlite/tables/task_table.hpp"

namespace heddle::store {

// A stored page and how it differs from its previous version.
struct StoredPage {
  std::int64_t id = 0;
  KeyPrefixes added{};  // items that it did not list before
  std::int64_t items_gone = 0;
  bool is_changed = false;  // a version other than the first was stored
};

class PageTable {
 public:
  PageTable(Connection& db, ItemTable& items, FollowedItems& followed);

  // Assigns a number to a new url.
  Result<std::int64_t> url_number(const std::string& url);

  // Records that the job references this url, which is kept as long as the job.
  Status add_url_use(std::int64_t job, std::int64_t url);

  // Updates last_seen of an unchanged page; returns how many items it lists.
  Result<std::int64_t> touch(const HeldTask& task, const PageResult& page);

  // Stores the page. `final_url` is the number of its final url.
  Result<StoredPage> put(const HeldTask& task, const PageResult& page, std::int64_t final_url);

 private:
  Result<StoredPage> put_row(const HeldTask& task, const PageResult& page, std::int64_t final_url);
  Result<StoredPage> put_keys(const PageRow& old, const HeldTask& task, const PageResult& page,
                              const KeyPrefixes& now);
  // Returns whether the page had an earlier version.
  Result<bool> put_version(const HeldTask& task, std::int64_t page, const PageResult& result);
  Result<std::int64_t> put_content(const Snapshot& snapshot);
  Result<std::int64_t> find_content(const Hash128& hash);

  ItemTable& items_;
  FollowedItems& followed_;
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

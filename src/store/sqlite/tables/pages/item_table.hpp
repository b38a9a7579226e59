// Stores items and the keys that make each item unique within its job. Writer thread only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/run/page_result.hpp"
#include "store/imported_item.hpp"
#include "store/sqlite/core/statement.hpp"
#include "store/sqlite/tables/pages/key_prefixes.hpp"
#include "store/sqlite/tables/pages/page_rows.hpp"
#include "store/sqlite/tables/task_table.hpp"

namespace heddle::store {

class ItemTable {
 public:
  explicit ItemTable(Connection& db);

  // Where new items were found.
  struct Place {
    std::int64_t url = 0;
    std::optional<std::int64_t> page{};  // that lists them; nullopt: it was not read
  };

  // Stores items with keys that the job does not have; returns the first 8 bytes of their keys.
  Result<KeyPrefixes> add(const HeldTask& task, const PageResult& page, const Place& place);

  // Stores an item that no page lists, unless the job has its key. Returns whether it is new.
  Result<bool> import(std::int64_t job, std::int64_t url, const ImportedItem& imported);

  // These two apply to items whose key begins with these 8 bytes.
  // The page lists items that were found elsewhere, or before it ceased to list them.
  Status list(std::int64_t job, const KeyPrefixes& prefixes, std::int64_t page);
  // The page does not list the items any more; their `last_seen` never decreases.
  Status leave(std::int64_t job, const KeyPrefixes& prefixes, const PageRow& page);

  // Returns the ids of the items whose key begins with these 8 bytes.
  Result<std::vector<std::int64_t>> find(std::int64_t job, std::uint64_t prefix);

 private:
  Result<std::int64_t> next_id();
  // Renders the item's fields and keywords into members, to reuse their memory.
  void render(const Item& item);
  [[nodiscard]] std::optional<std::string_view> rendered_matches() const;
  Status insert(std::int64_t id, const HeldTask& task, const PageResult& page, const Place& place,
                const KeyedItem& item);

  Statement last_id_;
  Statement insert_key_;
  Statement insert_item_;
  Statement import_item_;
  Statement select_by_prefix_;
  Statement leave_page_;
  Statement list_;
  Statement unlist_;
  std::string fields_;
  std::string matches_;
};

}  // namespace heddle::store

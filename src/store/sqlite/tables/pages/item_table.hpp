// Stores items and the keys that make each item unique within its job. Writer thread only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/run/page_result.hpp"
#include "store/sqlite/core/statement.hpp"
#include "store/sqlite/tables/task_table.hpp"

namespace heddle::store {

class ItemTable {
 public:
  explicit ItemTable(Connection& db);

  // Stores items with keys that the job does not have; returns how many.
  Result<std::int64_t> add(const HeldTask& task, const PageResult& page, std::int64_t url);

  // Applies to items whose key begins with these 8 bytes; never decreases.
  Status set_last_seen(std::int64_t job, std::uint64_t key_prefix, std::int64_t last_seen);

 private:
  Status insert(std::int64_t id, const HeldTask& task, const PageResult& page, std::int64_t url,
                const KeyedItem& item);

  Statement last_id_;
  Statement insert_key_;
  Statement insert_item_;
  Statement select_by_prefix_;
  Statement set_last_seen_;
  std::string fields_;  // members to reuse their memory
  std::string matches_;
};

}  // namespace heddle::store

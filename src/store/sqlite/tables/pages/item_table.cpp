#include "store/sqlite/tables/pages/item_table.hpp"

#include "store/sqlite/tables/json_text.hpp"

namespace heddle::store {

namespace {

std::string_view view_of(const std::array<unsigned char, 16>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

ItemTable::ItemTable(Connection& db)
    : last_id_(db, "SELECT max(id) FROM items"),
      insert_key_(db, "INSERT OR IGNORE INTO seen_keys (job, key, item) VALUES (?, ?, ?)"),
      insert_item_(db,
                   "INSERT INTO items (id, job, url, run, key, first_seen, fields, typed_values,"
                   " matches) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"),
      select_by_prefix_(db, "SELECT item FROM seen_keys WHERE job = ? AND key BETWEEN ? AND ?"),
      set_last_seen_(db,
                     "UPDATE items SET last_seen = max(coalesce(last_seen, 0), ?) WHERE id = ?") {}

Result<std::int64_t> ItemTable::add(const HeldTask& task, const PageResult& page,
                                    std::int64_t url) {
  if (page.new_items.empty()) return 0;
  std::int64_t next_id = 1;
  {
    auto rows = last_id_.query();
    auto found = rows.next();
    if (!found) return std::move(found).error();
    next_id = rows.integer(0) + 1;
  }
  std::int64_t stored = 0;
  for (const KeyedItem& item : page.new_items) {
    const auto key = item.key.bytes();
    auto fresh = insert_key_.change(task.job_number, Blob{view_of(key)}, next_id);
    if (!fresh) return std::move(fresh).error();
    if (*fresh == 0) continue;
    if (auto done = insert(next_id++, task, page, url, item); !done) return std::move(done).error();
    ++stored;
  }
  return stored;
}

Status ItemTable::insert(std::int64_t id, const HeldTask& task, const PageResult& page,
                         std::int64_t url, const KeyedItem& item) {
  fields_.clear();
  append_json_object(fields_, item.item.fields);
  std::optional<std::string_view> matches;
  if (!item.item.matches.empty()) {
    matches_.clear();
    append_json_array(matches_, item.item.matches);
    matches = matches_;
  }
  const auto key = item.key.bytes();
  return insert_item_.run(id, task.job_number, url, task.run_number, Blob{view_of(key)},
                          page.fetched_at, fields_, unless_empty(item.item.values_json), matches);
}

Status ItemTable::set_last_seen(std::int64_t job, std::uint64_t key_prefix,
                                std::int64_t last_seen) {
  std::vector<std::int64_t> ids;
  {
    auto rows =
        select_by_prefix_.query(job, Hash128{key_prefix, 0}, Hash128{key_prefix, UINT64_MAX});
    while (true) {
      auto more = rows.next();
      if (!more) return std::move(more).error();
      if (!*more) break;
      ids.push_back(rows.integer(0));
    }
  }
  for (const std::int64_t id : ids)
    if (auto done = set_last_seen_.run(last_seen, id); !done) return done;
  return Done{};
}

}  // namespace heddle::store

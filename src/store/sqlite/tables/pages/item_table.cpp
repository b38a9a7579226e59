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
                   " matches, page) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
      import_item_(db,
                   "INSERT INTO items (id, job, url, run, key, first_seen, last_seen, fields,"
                   " typed_values, matches) VALUES (?1, ?2, ?3, 0, ?4, ?5, ?5, ?6, ?7, ?8)"),
      select_by_prefix_(db, "SELECT item FROM seen_keys WHERE job = ? AND key BETWEEN ? AND ?"),
      leave_page_(db,
                  "UPDATE items SET last_seen = max(coalesce(last_seen, 0), ?2),"
                  " page = iif(page = ?1, NULL, page) WHERE id = ?3"),
      list_(db, "INSERT OR IGNORE INTO listings (job, prefix, page) VALUES (?, ?, ?)"),
      unlist_(db, "DELETE FROM listings WHERE job = ? AND prefix = ? AND page = ?") {}

Result<KeyPrefixes> ItemTable::add(const HeldTask& task, const PageResult& page,
                                   const Place& place) {
  KeyPrefixes stored;
  if (page.new_items.empty()) return stored;
  auto id = next_id();
  if (!id) return std::move(id).error();
  for (const KeyedItem& item : page.new_items) {
    const auto key = item.key.bytes();
    auto fresh = insert_key_.change(task.job_number, Blob{view_of(key)}, *id);
    if (!fresh) return std::move(fresh).error();
    if (*fresh == 0) continue;
    if (auto done = insert((*id)++, task, page, place, item); !done) return std::move(done).error();
    stored.push_back(item.key.high);
  }
  return stored;
}

Result<std::int64_t> ItemTable::next_id() {
  auto rows = last_id_.query();
  auto found = rows.next();
  if (!found) return std::move(found).error();
  return rows.integer(0) + 1;
}

void ItemTable::render(const Item& item) {
  fields_.clear();
  append_json_object(fields_, item.fields);
  matches_.clear();
  if (!item.matches.empty()) append_json_array(matches_, item.matches);
}

std::optional<std::string_view> ItemTable::rendered_matches() const {
  return unless_empty(matches_);
}

Result<bool> ItemTable::import(std::int64_t job, std::int64_t url, const ImportedItem& imported) {
  auto id = next_id();
  if (!id) return std::move(id).error();
  const auto key = imported.item.key.bytes();
  auto fresh = insert_key_.change(job, Blob{view_of(key)}, *id);
  if (!fresh) return std::move(fresh).error();
  if (*fresh == 0) return false;
  render(imported.item.item);
  auto done = import_item_.run(*id, job, url, Blob{view_of(key)}, imported.first_seen, fields_,
                               unless_empty(imported.item.item.values_json), rendered_matches());
  if (!done) return std::move(done).error();
  return true;
}

Status ItemTable::insert(std::int64_t id, const HeldTask& task, const PageResult& page,
                         const Place& place, const KeyedItem& item) {
  render(item.item);
  const auto key = item.key.bytes();
  return insert_item_.run(id, task.job_number, place.url, task.run_number, Blob{view_of(key)},
                          page.fetched_at, fields_, unless_empty(item.item.values_json),
                          rendered_matches(), place.page);
}

Status ItemTable::list(std::int64_t job, const KeyPrefixes& prefixes, std::int64_t page) {
  for (const std::uint64_t prefix : prefixes)
    if (auto done = list_.run(job, Blob{encode_prefixes({prefix})}, page); !done) return done;
  return Done{};
}

Status ItemTable::leave(std::int64_t job, const KeyPrefixes& prefixes, const PageRow& page) {
  for (const std::uint64_t prefix : prefixes) {
    auto items = find(job, prefix);
    if (!items) return std::move(items).error();
    for (const std::int64_t id : *items)
      if (auto done = leave_page_.run(page.id, page.last_seen, id); !done) return done;
    if (auto done = unlist_.run(job, Blob{encode_prefixes({prefix})}, page.id); !done) return done;
  }
  return Done{};
}

Result<std::vector<std::int64_t>> ItemTable::find(std::int64_t job, std::uint64_t prefix) {
  std::vector<std::int64_t> ids;
  auto rows = select_by_prefix_.query(job, Hash128{prefix, 0}, Hash128{prefix, UINT64_MAX});
  while (true) {
    auto more = rows.next();
    if (!more) return std::move(more).error();
    if (!*more) return ids;
    ids.push_back(rows.integer(0));
  }
}

}  // namespace heddle::store

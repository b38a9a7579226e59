#include "store/sqlite/tables/pages/record_rows.hpp"

#include <algorithm>

#include "store/sqlite/tables/json_text.hpp"
#include "store/sqlite/tables/pages/key_prefixes.hpp"

namespace heddle::store {

namespace {

constexpr std::int64_t kRecordBatch = 500;  // records per short read transaction

Record record_from(const Rows& rows, const ListedItems& listed) {
  Record record;
  record.id = rows.integer(0);
  record.url = rows.text(1);
  record.first_seen = rows.time(3);
  record.item.fields = fields_from_json(rows.text(5));
  if (const auto values = rows.text(6); is_json_object(values)) record.item.values_json = values;
  record.item.matches = texts_from_json(rows.text(7));

  const auto on_page = listed.last_seen(rows.hash(2).high);
  // An item gets its own last_seen when it is removed from a page; one without never was (it may be
  // newer than `listed`).
  record.state = on_page || rows.is_null(4) ? "present" : "left";
  const std::int64_t last_seen = on_page.value_or(rows.integer(4));
  record.last_seen = std::max(record.first_seen, WallTime(std::chrono::milliseconds(last_seen)));
  return record;
}

}  // namespace

void ListedItems::add_page(std::string_view encoded_prefixes, std::int64_t last_seen) {
  for (const std::uint64_t prefix : decode_prefixes(encoded_prefixes))
    entries_.push_back({prefix, last_seen});
}

void ListedItems::finish() {
  // The newest sighting first: unique() keeps the first one.
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return a.prefix != b.prefix ? a.prefix < b.prefix : a.last_seen > b.last_seen;
  });
  const auto end = std::unique(entries_.begin(), entries_.end(),
                               [](const Entry& a, const Entry& b) { return a.prefix == b.prefix; });
  entries_.erase(end, entries_.end());
}

std::optional<std::int64_t> ListedItems::last_seen(std::uint64_t key_prefix) const {
  const auto found =
      std::lower_bound(entries_.begin(), entries_.end(), key_prefix,
                       [](const Entry& entry, std::uint64_t key) { return entry.prefix < key; });
  if (found == entries_.end() || found->prefix != key_prefix) return std::nullopt;
  return found->last_seen;
}

RecordRows::RecordRows(Connection& db)
    : select_keys_(db,
                   "SELECT k.keys, p.last_seen FROM pages p JOIN page_keys k ON k.page = p.id"
                   " WHERE p.job = ?"),
      select_items_(db,
                    "SELECT i.id, u.url, i.key, i.first_seen, i.last_seen, i.fields,"
                    " i.typed_values, i.matches FROM items i INDEXED BY items_by_job"
                    " LEFT JOIN urls u ON u.id = i.url WHERE i.job = ? AND i.first_seen >= ?"
                    " AND (i.first_seen, i.id) < (?, ?)"
                    " ORDER BY i.first_seen DESC, i.id DESC LIMIT ?") {}

Result<ListedItems> RecordRows::listed(std::int64_t job) {
  ListedItems items;
  auto rows = select_keys_.query(job);
  while (true) {
    auto more = rows.next();
    if (!more) return std::move(more).error();
    if (!*more) break;
    items.add_page(rows.blob(0), rows.integer(1));
  }
  items.finish();
  return items;
}

Result<std::vector<Record>> RecordRows::read(std::int64_t job, std::int64_t since, Cursor& cursor,
                                             const ListedItems& listed) {
  std::vector<Record> records;
  auto rows = select_items_.query(job, since, cursor.first_seen, cursor.id, kRecordBatch);
  while (true) {
    auto more = rows.next();
    if (!more) return std::move(more).error();
    if (!*more) return records;
    records.push_back(record_from(rows, listed));
    cursor = {rows.integer(3), rows.integer(0)};
  }
}

}  // namespace heddle::store

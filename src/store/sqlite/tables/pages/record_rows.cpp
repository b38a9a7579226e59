#include "store/sqlite/tables/pages/record_rows.hpp"

#include <algorithm>

#include "store/sqlite/tables/json_text.hpp"

namespace heddle::store {

namespace {

constexpr std::int64_t kRecordBatch = 500;  // records per short read transaction

// When the newest page that lists item i was last seen; -1: no page does. Page p found it.
const std::string kLastListed =  // NOLINT(cert-err58-cpp): cannot throw in practice
    "max(coalesce(p.last_seen, -1), coalesce((SELECT max(o.last_seen) FROM listings l"
    " JOIN pages o ON o.id = l.page WHERE l.job = i.job AND l.prefix = substr(i.key, 1, 8)), -1))";

const std::string kSelectRecord =  // NOLINT(cert-err58-cpp): cannot throw in practice
    "SELECT i.id, u.url, i.first_seen, i.last_seen, i.fields, i.typed_values, i.matches, " +
    kLastListed +
    ", i.gone_at FROM items i INDEXED BY items_by_job LEFT JOIN urls u ON u.id = i.url"
    " LEFT JOIN pages p ON p.id = i.page WHERE i.job = ? ";

Record record_from(const Rows& rows) {
  Record record;
  record.id = rows.integer(0);
  record.url = rows.text(1);
  record.first_seen = rows.time(2);
  record.item.fields = fields_from_json(rows.text(4));
  if (const auto values = rows.text(5); is_json_object(values)) record.item.values_json = values;
  record.item.matches = texts_from_json(rows.text(6));

  const bool is_on_page = rows.integer(7) >= 0;
  // An item gets its own last_seen when it is removed from a page; one without never was.
  record.state = is_on_page || rows.is_null(3) ? "present" : "left";
  if (!rows.is_null(8)) record.state = "gone";
  const std::int64_t last_seen = is_on_page ? rows.integer(7) : rows.integer(3);
  record.last_seen = std::max(record.first_seen, WallTime(std::chrono::milliseconds(last_seen)));
  return record;
}

}  // namespace

// Two queries: SQLite would read all items of the cursor's time again for a comparison of both
// columns, and one page may have found very many at that time.
RecordRows::RecordRows(Connection& db)
    : select_same_time_(
          db, kSelectRecord + "AND i.first_seen = ? AND i.id < ? ORDER BY i.id DESC LIMIT ?"),
      select_older_(db, kSelectRecord +
                            "AND i.first_seen >= ? AND i.first_seen < ?"
                            " ORDER BY i.first_seen DESC, i.id DESC LIMIT ?"),
      select_last_listed_(db, "SELECT " + kLastListed +
                                  " FROM items i LEFT JOIN pages p ON p.id = i.page"
                                  " WHERE i.id = ?") {}

Result<std::vector<Record>> RecordRows::read(std::int64_t job, std::int64_t since, Cursor& cursor) {
  std::vector<Record> records;
  auto same = collect(select_same_time_.query(job, cursor.first_seen, cursor.id, kRecordBatch),
                      records, cursor);
  if (!same) return std::move(same).error();
  const auto left = kRecordBatch - static_cast<std::int64_t>(records.size());
  if (left == 0) return records;
  auto older = collect(select_older_.query(job, since, cursor.first_seen, left), records, cursor);
  if (!older) return std::move(older).error();
  return records;
}

Result<std::optional<std::int64_t>> RecordRows::last_listed(std::int64_t item) {
  auto rows = select_last_listed_.query(item);
  auto found = rows.next();
  if (!found) return std::move(found).error();
  if (!*found || rows.integer(0) < 0) return std::optional<std::int64_t>();
  return std::optional(rows.integer(0));
}

Status RecordRows::collect(Rows rows, std::vector<Record>& records, Cursor& cursor) {
  while (true) {
    auto more = rows.next();
    if (!more) return std::move(more).error();
    if (!*more) return Done{};
    records.push_back(record_from(rows));
    cursor = {rows.integer(2), rows.integer(0)};
  }
}

}  // namespace heddle::store

#include "store/sqlite/tables/pages/change_rows.hpp"

#include <string>

#include "store/sqlite/tables/json_text.hpp"

namespace heddle::store {

namespace {

constexpr std::int64_t kChangeBatch = 500;  // changes per short read transaction

const std::string kSelectChange =  // NOLINT(cert-err58-cpp): cannot throw in practice
    "SELECT c.id, c.at, c.kind, r.id, u.url, c.item, c.field, c.before, c.after, c.significance,"
    " i.fields, c.context FROM changes c INDEXED BY changes_by_job LEFT JOIN runs r ON r.number = "
    "c.run"
    " LEFT JOIN pages p ON p.id = c.page LEFT JOIN urls u ON u.id = p.url"
    " LEFT JOIN items i ON i.id = c.item WHERE c.job = ? ";

Change change_from(const Rows& rows) {
  Change change;
  change.id = rows.integer(0);
  change.at = rows.time(1);
  change.kind = change_kind_from(rows.text(2)).value_or(ChangeKind::item_changed);
  change.run.text = rows.text(3);
  change.url = rows.text(4);
  change.item_id = rows.integer(5);
  change.field = rows.text(6);
  change.before = rows.text(7);
  change.after = rows.text(8);
  change.significance = significance_of(rows.integer(9));
  change.item.fields = fields_from_json(rows.text(10));
  change.context = rows.text(11);
  return change;
}

}  // namespace

TextChangeTable::TextChangeTable(Connection& db)
    : insert_(db,
              "INSERT INTO changes (job, run, page, at, kind, field, before, after, significance,"
              " context) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)") {}

Status TextChangeTable::add(const HeldTask& task, const PageResult& page, std::int64_t page_id) {
  for (const FieldChange& change : page.text_changes) {
    auto done = insert_.run(task.job_number, task.run_number, page_id, page.fetched_at,
                            to_text(change.kind), change.field, change.before, change.after,
                            static_cast<std::int64_t>(change.significance), change.context);
    if (!done) return done;
  }
  return Done{};
}

// Two queries, as in RecordRows.
ChangeRows::ChangeRows(Connection& db)
    : select_same_time_(db, kSelectChange + "AND c.at = ? AND c.id < ? ORDER BY c.id DESC LIMIT ?"),
      select_older_(
          db, kSelectChange + "AND c.at >= ? AND c.at < ? ORDER BY c.at DESC, c.id DESC LIMIT ?") {}

Result<std::vector<Change>> ChangeRows::read(std::int64_t job, std::int64_t since, Cursor& cursor) {
  std::vector<Change> changes;
  auto same =
      collect(select_same_time_.query(job, cursor.at, cursor.id, kChangeBatch), changes, cursor);
  if (!same) return std::move(same).error();
  const auto left = kChangeBatch - static_cast<std::int64_t>(changes.size());
  if (left == 0) return changes;
  auto older = collect(select_older_.query(job, since, cursor.at, left), changes, cursor);
  if (!older) return std::move(older).error();
  return changes;
}

Status ChangeRows::collect(Rows rows, std::vector<Change>& changes, Cursor& cursor) {
  while (true) {
    auto more = rows.next();
    if (!more) return std::move(more).error();
    if (!*more) return Done{};
    changes.push_back(change_from(rows));
    cursor = {rows.integer(1), rows.integer(0)};
  }
}

}  // namespace heddle::store

#include "store/sqlite/tables/pages/followed_items.hpp"

#include <string>

#include "store/sqlite/tables/json_text.hpp"

namespace heddle::store {

namespace {

constexpr std::int64_t kGoneIsMedium = static_cast<std::int64_t>(Significance::medium);

// Items of job ?1 that no page lists and that were missed often enough on every page they were on.
const std::string kGone =  // NOLINT(cert-err58-cpp): cannot throw in practice
    "SELECT a.item FROM absences a JOIN items i ON i.id = a.item WHERE a.job = ?1"
    " AND i.page IS NULL AND NOT EXISTS (SELECT 1 FROM listings l WHERE l.job = ?1"
    " AND l.prefix = substr(i.key, 1, 8)) GROUP BY a.item HAVING max(a.readings_left) <= 0";

}  // namespace

FollowedItems::FollowedItems(Connection& db, ItemTable& items)
    : items_(items),
      find_(db, "SELECT item FROM seen_keys WHERE job = ? AND key = ?"),
      update_(db,
              "UPDATE items SET fields = ?2, typed_values = ?3, matches = ?4, page = ?5,"
              " gone_at = NULL WHERE id = ?1"),
      insert_change_(db,
                     "INSERT INTO changes (job, run, page, item, at, kind, field, before, after,"
                     " significance) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
      insert_absence_(db,
                      "INSERT OR IGNORE INTO absences (job, item, page, readings_left)"
                      " VALUES (?, ?, ?, ?)"),
      delete_absence_(db, "DELETE FROM absences WHERE job = ? AND item = ? AND page = ?"),
      find_run_(db, "SELECT number, job, trigger_kind FROM runs WHERE id = ? AND ended_at IS NULL"),
      has_absences_(db, "SELECT 1 FROM absences WHERE job = ? LIMIT 1"),
      count_readings_(db,
                      "UPDATE absences SET readings_left = readings_left - 1 WHERE job = ?1"
                      " AND readings_left > 0"
                      " AND (SELECT last_run FROM pages WHERE pages.id = absences.page) = ?2"),
      record_gone_(db,
                   "INSERT INTO changes (job, run, item, at, kind, significance)"
                   " SELECT ?1, ?2, item, ?3, ?4, ?5 FROM (" +
                       kGone + ")"),
      mark_gone_(db, "UPDATE items SET gone_at = ?2 WHERE id IN (" + kGone + ")"),
      forget_gone_(db, "DELETE FROM absences WHERE job = ?1 AND item IN (" + kGone + ")"),
      count_gone_(db, "UPDATE runs SET items_gone = items_gone + ? WHERE number = ?") {}

Result<UpdatedItems> FollowedItems::update(const HeldTask& task, const PageResult& page,
                                           std::int64_t page_id) {
  UpdatedItems updated;
  for (const ItemUpdate& update : page.updates) {
    auto item = find(task.job_number, update.key);
    if (!item) return std::move(item).error();
    if (*item == 0) continue;  // its job was deleted meanwhile
    fields_.clear();
    append_json_object(fields_, update.item.fields);
    matches_.clear();
    if (!update.item.matches.empty()) append_json_array(matches_, update.item.matches);
    auto stored = update_.run(*item, fields_, unless_empty(update.item.values_json),
                              unless_empty(matches_), page_id);
    if (!stored) return std::move(stored).error();
    updated.adopted.push_back(update.key.high);
    if (auto done = record(task, page, page_id, *item, update); !done)
      return std::move(done).error();
    if (update.is_back || !update.changes.empty()) ++updated.changed;
  }
  return updated;
}

Result<std::int64_t> FollowedItems::find(std::int64_t job, const Hash128& key) {
  auto rows = find_.query(job, key);
  auto found = rows.next();
  if (!found) return std::move(found).error();
  return *found ? rows.integer(0) : 0;
}

Status FollowedItems::record(const HeldTask& task, const PageResult& page, std::int64_t page_id,
                             std::int64_t item, const ItemUpdate& update) {
  if (update.is_back) {
    const std::optional<std::string_view> none;
    auto done = insert_change_.run(task.job_number, task.run_number, page_id, item, page.fetched_at,
                                   to_text(ChangeKind::item_back), none, none, none, kGoneIsMedium);
    if (!done) return done;
  }
  for (const FieldChange& change : update.changes) {
    auto done = insert_change_.run(task.job_number, task.run_number, page_id, item, page.fetched_at,
                                   to_text(ChangeKind::item_changed), change.field, change.before,
                                   change.after, static_cast<std::int64_t>(change.significance));
    if (!done) return done;
  }
  return Done{};
}

Status FollowedItems::leave(std::int64_t job, const KeyPrefixes& prefixes, std::int64_t page,
                            int gone_after) {
  for (const std::uint64_t prefix : prefixes) {
    auto ids = items_.find(job, prefix);
    if (!ids) return std::move(ids).error();
    for (const std::int64_t id : *ids)
      if (auto done = insert_absence_.run(job, id, page, gone_after); !done) return done;
  }
  return Done{};
}

Status FollowedItems::come_back(std::int64_t job, const KeyPrefixes& prefixes, std::int64_t page) {
  auto some = has_absences_.query(job).next();
  if (!some) return std::move(some).error();
  if (!*some) return Done{};
  for (const std::uint64_t prefix : prefixes) {
    auto ids = items_.find(job, prefix);
    if (!ids) return std::move(ids).error();
    for (const std::int64_t id : *ids)
      if (auto done = delete_absence_.run(job, id, page); !done) return done;
  }
  return Done{};
}

Status FollowedItems::decide_gone(const RunId& run, WallTime now) {
  std::int64_t number = 0;
  std::int64_t job = 0;
  {
    auto rows = find_run_.query(run.text);
    auto found = rows.next();
    if (!found) return std::move(found).error();
    if (!*found || rows.text(2) == to_text(RunTrigger::dead_letter)) return Done{};
    number = rows.integer(0);
    job = rows.integer(1);
  }
  auto some = has_absences_.query(job).next();
  if (!some) return std::move(some).error();
  if (!*some) return Done{};
  if (auto done = count_readings_.run(job, number); !done) return done;
  auto gone = record_gone_.change(job, number, now, to_text(ChangeKind::item_gone), kGoneIsMedium);
  if (!gone) return std::move(gone).error();
  if (*gone == 0) return Done{};
  if (auto done = mark_gone_.run(job, now); !done) return done;
  if (auto done = forget_gone_.run(job); !done) return done;
  return count_gone_.run(static_cast<std::int64_t>(*gone), number);
}

}  // namespace heddle::store

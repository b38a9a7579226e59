#include "store/sqlite/tables/pages/known_rows.hpp"

#include <algorithm>
#include <string>

#include "store/sqlite/tables/json_text.hpp"

namespace heddle::store {

namespace {

// Page ?2 of job ?1 lists item i, which the page that followed it does not.
const std::string kIsTakenOver =  // NOLINT(cert-err58-cpp): cannot throw in practice
    "(i.page IS NULL AND i.gone_at IS NULL AND EXISTS (SELECT 1 FROM listings l WHERE l.job = ?1"
    " AND l.prefix = substr(i.key, 1, 8) AND l.page = ?2))";

}  // namespace

KnownRows::KnownRows(Connection& db, JobNumbers& jobs)
    : jobs_(jobs),
      select_key_(db, "SELECT 1 FROM seen_keys WHERE job = ? AND key = ?"),
      select_content_(db, "SELECT 1 FROM contents WHERE hash = ?"),
      select_item_(db,
                   "SELECT i.fields, i.typed_values, i.matches, i.gone_at, i.page, p.last_seen, " +
                       kIsTakenOver +
                       " AND EXISTS (SELECT 1 FROM absences a WHERE a.job = ?1 AND a.item = i.id)"
                       " FROM seen_keys s JOIN items i ON i.id = s.item"
                       " LEFT JOIN pages p ON p.id = i.page WHERE s.job = ?1 AND s.key = ?3"),
      select_left_item_(db,
                        "SELECT 1 FROM absences a JOIN items i ON i.id = a.item WHERE a.job = ?1"
                        " AND " +
                            kIsTakenOver + " LIMIT 1"),
      select_run_(db,
                  "SELECT started_at FROM runs WHERE job = ? AND state = 'completed'"
                  " ORDER BY number DESC LIMIT 1"),
      pages_(db) {}

Result<bool> KnownRows::has_key(std::int64_t job, const Hash128& key) {
  return select_key_.query(job, key).next();
}

Status KnownRows::look_up(const KnownQuery& query, KnownAnswer& answer) {
  if (query.content && !answer.content) {
    auto found = select_content_.query(*query.content).next();
    if (!found) return std::move(found).error();
    answer.content = *found;
  }
  auto job = jobs_.find(query.job);
  if (!job) return std::move(job).error();
  if (*job == 0) return Done{};

  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < query.keys.size(); ++i)
    if (!answer.keys[i]) open.push_back(i);
  // In index order, neighbours are on pages that were just read.
  std::sort(open.begin(), open.end(),
            [&](std::size_t a, std::size_t b) { return query.keys[a] < query.keys[b]; });
  for (const std::size_t i : open) {
    auto found = has_key(*job, query.keys[i]);
    if (!found) return std::move(found).error();
    answer.keys[i] = *found;
  }
  return query.items_for ? look_up_items(*job, query, answer) : Status(Done{});
}

Status KnownRows::look_up_items(std::int64_t job, const KnownQuery& query, KnownAnswer& answer) {
  auto url = pages_.find_url(*query.items_for);
  if (!url) return std::move(url).error();
  auto page = pages_.find(job, *url);
  if (!page) return std::move(page).error();
  const std::int64_t page_id = *page ? (*page)->id : 0;
  auto completed_at = last_complete_run(job);
  if (!completed_at) return std::move(completed_at).error();
  answer.items.resize(query.keys.size());
  for (std::size_t i = 0; i < query.keys.size(); ++i) {
    if (!answer.keys[i]) continue;
    auto item = find_item(job, query.keys[i], page_id, *completed_at);
    if (!item) return std::move(item).error();
    answer.items[i] = std::move(*item);
  }
  return Done{};
}

Result<std::optional<StoredItem>> KnownRows::find_item(std::int64_t job, const Hash128& key,
                                                       std::int64_t page,
                                                       std::int64_t completed_at) {
  auto rows = select_item_.query(job, page, key);
  auto found = rows.next();
  if (!found) return std::move(found).error();
  if (!*found) return std::optional<StoredItem>();
  StoredItem stored;
  stored.item.fields = fields_from_json(rows.text(0));
  if (const auto values = rows.text(1); is_json_object(values)) stored.item.values_json = values;
  stored.item.matches = texts_from_json(rows.text(2));
  stored.is_gone = !rows.is_null(3);
  // A page that was not read since the newest complete run began is no longer read.
  stored.is_followed_elsewhere = !rows.is_null(4) && rows.integer(4) != page && !rows.is_null(5) &&
                                 rows.integer(5) >= completed_at;
  stored.is_taken_over = rows.integer(6) != 0;
  return std::optional(std::move(stored));
}

Result<bool> KnownRows::takes_over_items(std::int64_t job, std::int64_t page) {
  return select_left_item_.query(job, page).next();
}

Result<std::int64_t> KnownRows::last_complete_run(std::int64_t job) {
  auto rows = select_run_.query(job);
  auto found = rows.next();
  if (!found) return std::move(found).error();
  return *found ? rows.integer(0) : 0;
}

}  // namespace heddle::store

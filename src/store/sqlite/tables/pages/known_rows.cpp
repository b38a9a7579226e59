#include "store/sqlite/tables/pages/known_rows.hpp"

#include <algorithm>

namespace heddle::store {

KnownRows::KnownRows(Connection& db, JobNumbers& jobs)
    : jobs_(jobs),
      select_key_(db, "SELECT 1 FROM seen_keys WHERE job = ? AND key = ?"),
      select_content_(db, "SELECT 1 FROM contents WHERE hash = ?") {}

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
  return Done{};
}

}  // namespace heddle::store

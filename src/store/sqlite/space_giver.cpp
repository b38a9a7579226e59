#include "store/sqlite/space_giver.hpp"

namespace heddle::store {

namespace {

constexpr std::int64_t kIncremental = 2;
constexpr std::int64_t kKeptFree =
    256;  // pages, a megabyte: what comes next need not grow the file

}  // namespace

SpaceGiver::SpaceGiver(Connection& db)
    : kind_(db, "PRAGMA auto_vacuum"),
      count_free_(db, "PRAGMA freelist_count"),
      give_some_(db, "PRAGMA incremental_vacuum(16)") {}

Result<std::int64_t> SpaceGiver::number_from(Statement& statement) {
  auto rows = statement.query();
  auto found = rows.next();
  if (!found) return std::move(found).error();
  return *found ? rows.integer(0) : 0;
}

Result<bool> SpaceGiver::give(const PieceTime& time) {
  auto kind = number_from(kind_);
  if (!kind) return std::move(kind).error();
  if (*kind != kIncremental) return false;
  auto free = number_from(count_free_);
  if (!free) return std::move(free).error();
  while (*free > kKeptFree) {
    if (auto given = give_some_.run(); !given) return std::move(given).error();
    auto left = number_from(count_free_);
    if (!left) return std::move(left).error();
    if (*left >= *free) return false;
    free = std::move(left);
    if (time.is_up()) break;
  }
  return *free > kKeptFree;
}

}  // namespace heddle::store

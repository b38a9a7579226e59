#include "store/sqlite/retention/incremental_vacuum.hpp"

namespace heddle::store {

namespace {

constexpr std::int64_t kIncremental = 2;
constexpr std::int64_t kKeptFree = 256;  // pages, a megabyte: new rows need not grow the file

}  // namespace

IncrementalVacuum::IncrementalVacuum(Connection& db)
    : mode_(db, "PRAGMA auto_vacuum"),
      count_free_(db, "PRAGMA freelist_count"),
      vacuum_some_(db, "PRAGMA incremental_vacuum(16)") {}

Result<std::int64_t> IncrementalVacuum::number_from(Statement& statement) {
  auto rows = statement.query();
  auto found = rows.next();
  if (!found) return std::move(found).error();
  return *found ? rows.integer(0) : 0;
}

Result<bool> IncrementalVacuum::run(const BatchDeadline& deadline) {
  auto mode = number_from(mode_);
  if (!mode) return std::move(mode).error();
  if (*mode != kIncremental) return false;
  auto free = number_from(count_free_);
  if (!free) return std::move(free).error();
  while (*free > kKeptFree) {
    if (auto vacuumed = vacuum_some_.run(); !vacuumed) return std::move(vacuumed).error();
    auto remaining = number_from(count_free_);
    if (!remaining) return std::move(remaining).error();
    if (*remaining >= *free) return false;
    free = std::move(remaining);
    if (deadline.has_passed()) break;
  }
  return *free > kKeptFree;
}

}  // namespace heddle::store

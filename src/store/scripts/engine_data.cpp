#include "store/scripts/engine_data.hpp"

#include <system_error>

#include "store/sqlite/core/schema.hpp"

namespace heddle::store {

namespace {

constexpr std::size_t kCacheBytes = 2u << 20;

}  // namespace

void EngineData::begin(const JobId& job) {
  job_ = job;
}

void EngineData::end() {
  if (opened_ && opened_->db->in_transaction()) (void)opened_->db->execute("COMMIT");
}

Status EngineData::open() {
  std::error_code failure;
  if (opened_ || file_.empty() || !std::filesystem::exists(file_, failure)) return Done{};
  auto db = Connection::open(file_, {.read_only = true, .cache_bytes = kCacheBytes});
  if (!db) return std::move(db).error();
  if (auto known = check_schema(**db); !known) return known;
  budget_.watch((*db)->handle());
  opened_ = std::make_unique<Opened>(std::move(*db));
  return Done{};
}

Result<std::optional<EngineData::View>> EngineData::view() {
  if (auto ready = open(); !ready) return std::move(ready).error();
  if (!opened_) return std::optional<View>();
  Connection& db = *opened_->db;
  if (!db.in_transaction())
    if (auto begun = db.execute("BEGIN"); !begun) return std::move(begun).error();
  auto number = opened_->jobs.find(job_);
  if (!number) return std::move(number).error();
  if (*number == 0) return std::optional<View>();
  return std::optional(View{db.handle(), *number});
}

}  // namespace heddle::store

// The small numbers that stand for jobs in every other table. Same thread as its connection.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "store/sqlite/statement.hpp"
#include "store/store.hpp"

namespace heddle::store {

class JobNumbers {
 public:
  explicit JobNumbers(Connection& db);

  // Gives the job a number when it has none yet.
  Result<std::int64_t> number_of(const JobId& job);
  // Without changing anything: 0 when the job is unknown.
  Result<std::int64_t> find(const JobId& job);
  Status remember(const JobName& job);

  // After a rollback: numbers given since may not exist.
  void forget() { known_.clear(); }
  // Somebody may have deleted the job, and made one with the same id.
  void forget(const JobId& job) { known_.erase(job); }

 private:
  std::unordered_map<JobId, std::int64_t> known_;
  Statement select_;
  Statement insert_;
  Statement upsert_;
};

}  // namespace heddle::store

// Maps job ids to the small numbers used in all other tables. Same thread as its connection.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "store/sqlite/core/statement.hpp"
#include "store/store.hpp"

namespace heddle::store {

class JobNumbers {
 public:
  explicit JobNumbers(Connection& db);

  // Assigns a number to a new job.
  Result<std::int64_t> number_of(const JobId& job);
  // Returns 0 for an unknown job.
  Result<std::int64_t> find(const JobId& job);
  Status put_name(const JobName& job);

  // Call after a rollback: numbers assigned since may not exist.
  void forget() { known_.clear(); }
  // Call when the job may have been deleted and recreated with the same id.
  void forget(const JobId& job) { known_.erase(job); }

 private:
  std::unordered_map<JobId, std::int64_t> known_;
  Statement select_;
  Statement insert_;
  Statement upsert_;
};

}  // namespace heddle::store

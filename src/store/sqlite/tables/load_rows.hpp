// Reads the current load and the figures of a job's last runs. Cheap enough to call every few
// seconds: nothing here scans the pages of a run. Same thread as its connection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/result.hpp"
#include "store/sqlite/core/statement.hpp"
#include "store/store.hpp"

namespace heddle::store {

class LoadRows {
 public:
  explicit LoadRows(Connection& db);

  Result<SystemLoad> system_load(WallTime dead_letters_since);
  Result<std::vector<RunFigures>> recent_runs(std::int64_t job, std::size_t max);

 private:
  Result<std::vector<RunLoad>> runs();

  Statement runs_;
  Statement counts_;
  Statement recent_;
};

}  // namespace heddle::store

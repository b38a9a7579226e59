// Measures the size of each history class in batches. Same thread as its connection.
#pragma once

#include <array>
#include <cstdint>

#include "base/result.hpp"
#include "store/history.hpp"
#include "store/sqlite/core/statement.hpp"

namespace heddle::store {

class HistorySizes {
 public:
  explicit HistorySizes(Connection& db);

  Result<MeasuredBatch> measure(HistoryClass what, std::int64_t after);

 private:
  Statement& statement_for(HistoryClass what);

  Statement versions_;
  Statement runs_;
  Statement traces_;
  Statement events_;
  Statement messages_;
  Statement prices_;
  Statement dead_letters_;
};

}  // namespace heddle::store

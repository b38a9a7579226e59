// Daily statistics of a job, per day of the project's local time. Plain values.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "model/run/run.hpp"

namespace heddle {

// Sums over the runs that ended on that day.
struct RunDay {
  std::int64_t day = 0;  // counted from 1970
  std::int64_t runs = 0;
  std::int64_t completed = 0;  // or limited
  std::int64_t failed = 0;
  std::chrono::milliseconds duration{0};
  PageCounts pages{};  // `total`: those that have an outcome
  ItemCounts items{};
  std::int64_t changes = 0;
  std::optional<std::int64_t> price_changes{};  // nullopt: prices were not compared
  std::chrono::microseconds cpu{0};
  std::int64_t bytes = 0;
};
void add(RunDay& sum, const RunDay& more);

// One price: a field of an item, or of a page, in one currency.
struct PriceDay {
  std::int64_t day = 0;   // counted from 1970
  std::int64_t item = 0;  // 0: of the page itself
  std::string page{};     // its url; empty: not known
  std::string field{};
  std::string currency{};  // empty: not known
  std::int64_t points = 0;
  double lowest = 0;
  double highest = 0;
  double average = 0;
};
void add(PriceDay& sum, const PriceDay& more);

// "2026-11-16"
std::string date_text(std::int64_t day);

}  // namespace heddle

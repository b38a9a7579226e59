#include "model/job/day_figures.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace heddle {

void add(RunDay& sum, const RunDay& more) {
  sum.runs += more.runs;
  sum.completed += more.completed;
  sum.failed += more.failed;
  sum.duration += more.duration;
  sum.pages.total += more.pages.total;
  sum.pages.done += more.pages.done;
  sum.pages.failed += more.pages.failed;
  sum.pages.skipped += more.pages.skipped;
  sum.items.seen += more.items.seen;
  sum.items.fresh += more.items.fresh;
  sum.items.changed += more.items.changed;
  sum.items.gone += more.items.gone;
  sum.changes += more.changes;
  if (more.price_changes) sum.price_changes = sum.price_changes.value_or(0) + *more.price_changes;
  sum.cpu += more.cpu;
  sum.bytes += more.bytes;
}

void add(PriceDay& sum, const PriceDay& more) {
  if (more.points <= 0) return;
  sum.lowest = sum.points == 0 ? more.lowest : std::min(sum.lowest, more.lowest);
  sum.highest = sum.points == 0 ? more.highest : std::max(sum.highest, more.highest);
  const auto points = static_cast<double>(sum.points + more.points);
  sum.average += (more.average - sum.average) * (static_cast<double>(more.points) / points);
  sum.points += more.points;
}

std::string date_text(std::int64_t day) {
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{day}}};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

}  // namespace heddle

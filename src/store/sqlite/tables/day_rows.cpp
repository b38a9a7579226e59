#include "store/sqlite/tables/day_rows.hpp"

#include <functional>
#include <map>
#include <string>
#include <tuple>

namespace heddle::store {

namespace {

constexpr std::int64_t kDayMs = 86'400'000;

// No local day begins earlier than this: time zones are less than a day away from UTC.
std::int64_t earliest(const DayRange& range) {
  return (range.first - 1) * kDayMs;
}

// The first column is the day, or the time to derive it from.
RunDay run_day(const Rows& rows) {
  RunDay day;
  day.runs = rows.integer(1);
  day.completed = rows.integer(2);
  day.failed = rows.integer(3);
  day.duration = std::chrono::milliseconds(rows.integer(4));
  day.pages = {.done = rows.integer(5), .failed = rows.integer(6), .skipped = rows.integer(7)};
  day.pages.total = day.pages.done + day.pages.failed + day.pages.skipped;
  day.items = {rows.integer(8), rows.integer(9), rows.integer(10), rows.integer(11)};
  day.changes = rows.integer(12);
  day.price_changes = rows.maybe_integer(13);
  day.cpu = std::chrono::microseconds(rows.integer(14));
  day.bytes = rows.integer(15);
  return day;
}

PriceDay price_day(const Rows& rows) {
  PriceDay day;
  day.item = rows.integer(1);
  day.page = rows.text(2);
  day.field = rows.text(3);
  day.currency = rows.text(4);
  day.points = rows.integer(5);
  day.lowest = rows.real(6);
  day.highest = rows.real(7);
  day.average = rows.real(8);
  return day;
}

template <class Visit>
Status for_each(Rows rows, const Visit& visit) {
  while (true) {
    auto more = rows.next();
    if (!more) return std::move(more).error();
    if (!*more) return Done{};
    visit(rows);
  }
}

template <class Key, class Figures>
std::vector<Figures> values_of(std::map<Key, Figures>& days) {
  std::vector<Figures> values;
  values.reserve(days.size());
  for (auto& [key, figures] : days) values.push_back(std::move(figures));
  return values;
}

}  // namespace

DayRows::DayRows(Connection& db)
    : old_runs_(db,
                "SELECT day, runs, completed, failed, duration_ms, pages_done, pages_failed,"
                " pages_skipped, items_seen, items_new, items_changed, items_gone, changes,"
                " price_changes, cpu_us, bytes FROM run_days WHERE job = ? AND day >= ?"),
      // A job has one run at a time: those before the last older one have ended before it began.
      kept_runs_(
          db,
          "SELECT ended_at, 1, state IN ('completed', 'limited'), state = 'failed',"
          " max(0, ended_at - started_at), pages_done, pages_failed, pages_skipped,"
          " items_seen, items_new, items_changed, items_gone, changes, price_changes, cpu_us,"
          " bytes FROM runs WHERE job = ?1 AND ended_at >= ?2 AND number >="
          " coalesce((SELECT number FROM runs WHERE job = ?1 AND started_at < ?2"
          " ORDER BY number DESC LIMIT 1), 0)"),
      old_prices_(db,
                  "SELECT d.day, d.item, coalesce(u.url, ''), d.field, d.currency, d.points,"
                  " d.lowest, d.highest, d.average FROM price_days d"
                  " LEFT JOIN pages p ON p.id = d.page LEFT JOIN urls u ON u.id = p.url"
                  " WHERE d.job = ? AND d.day >= ?"),
      kept_prices_(db,
                   "SELECT c.at, coalesce(c.item, 0), coalesce(u.url, ''), c.field,"
                   " coalesce(c.currency, ''), 1, c.amount_number, c.amount_number,"
                   " c.amount_number FROM prices c"
                   " LEFT JOIN pages p ON p.id = c.page LEFT JOIN urls u ON u.id = p.url"
                   " WHERE c.job = ? AND c.at >= ? AND c.amount_number IS NOT NULL") {}

Result<std::vector<RunDay>> DayRows::runs(std::int64_t job, const DayRange& range) {
  std::map<std::int64_t, RunDay> days;
  const auto put = [&](std::int64_t day, const Rows& rows) {
    if (day < range.first) return;
    RunDay& sum = days[day];
    sum.day = day;
    add(sum, run_day(rows));
  };
  auto old = for_each(old_runs_.query(job, range.first),
                      [&](const Rows& rows) { put(rows.integer(0), rows); });
  if (!old) return std::move(old).error();
  auto kept = for_each(kept_runs_.query(job, earliest(range)),
                       [&](const Rows& rows) { put(range.day_of(rows.time(0)), rows); });
  if (!kept) return std::move(kept).error();
  return values_of(days);
}

Result<std::vector<PriceDay>> DayRows::prices(std::int64_t job, const DayRange& range) {
  using Key = std::tuple<std::int64_t, std::int64_t, std::string, std::string, std::string>;
  std::map<Key, PriceDay> days;
  const auto put = [&](std::int64_t day, const Rows& rows) {
    if (day < range.first) return;
    PriceDay more = price_day(rows);
    more.day = day;
    PriceDay& sum = days[{day, more.item, more.page, more.field, more.currency}];
    if (sum.points == 0)
      sum = std::move(more);
    else
      add(sum, more);
  };
  auto old = for_each(old_prices_.query(job, range.first),
                      [&](const Rows& rows) { put(rows.integer(0), rows); });
  if (!old) return std::move(old).error();
  auto kept = for_each(kept_prices_.query(job, earliest(range)),
                       [&](const Rows& rows) { put(range.day_of(rows.time(0)), rows); });
  if (!kept) return std::move(kept).error();
  return values_of(days);
}

}  // namespace heddle::store

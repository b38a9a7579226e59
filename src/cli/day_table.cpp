#include "cli/day_table.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

namespace heddle::cli {

namespace {

constexpr std::int64_t kDaysBack = 29;  // and today
constexpr std::int64_t kLongestBar = 20;
constexpr std::size_t kShownPrices = 20;

std::string bar(std::int64_t value, std::int64_t most) {
  if (value <= 0 || most <= 0) return "";
  const std::int64_t length = std::max<std::int64_t>(1, value * kLongestBar / most);
  std::string text;
  for (std::int64_t i = 0; i < length; ++i) text += "▇";
  return text;
}

void print_runs(CommandContext& context, const std::vector<RunDay>& days) {
  if (days.empty()) return;
  std::int64_t most = 0;
  for (const RunDay& day : days) most = std::max(most, day.pages.total);
  TextTable table({"DAY", "RUNS", "FAILED", "PAGES", "", "NEW", "GONE", "CHANGES", "CPU"});
  for (const RunDay& day : days)
    table.add({date_text(day.day), std::to_string(day.runs), std::to_string(day.failed),
               std::to_string(day.pages.total), bar(day.pages.total, most),
               std::to_string(day.items.fresh), std::to_string(day.items.gone),
               std::to_string(day.changes),
               duration_text(std::chrono::duration_cast<std::chrono::milliseconds>(day.cpu))});
  context.out.line("");
  table.print(context.out);
}

// Merges all days of a price into one that has the number of the newest day.
std::vector<PriceDay> by_price(const std::vector<PriceDay>& days) {
  std::map<std::tuple<std::int64_t, std::string, std::string, std::string>, PriceDay> prices;
  for (const PriceDay& day : days) {
    PriceDay& sum = prices[{day.item, day.page, day.field, day.currency}];
    if (sum.points == 0)
      sum = day;
    else
      add(sum, day);
    sum.day = std::max(sum.day, day.day);
  }
  std::vector<PriceDay> all;
  for (auto& [key, price] : prices) all.push_back(std::move(price));
  return all;
}

void print_prices(CommandContext& context, const std::vector<PriceDay>& days) {
  const std::vector<PriceDay> prices = by_price(days);
  if (prices.empty()) return;
  TextTable table({"PRICE", "OF", "LOWEST", "HIGHEST", "AVERAGE", "LAST"});
  for (std::size_t i = 0; i < prices.size() && i < kShownPrices; ++i) {
    const PriceDay& price = prices[i];
    table.add({price.currency.empty() ? price.field : price.field + " " + price.currency,
               price.item != 0 ? fmt::format("item {}", price.item) : price.page,
               fmt::format("{:.2f}", price.lowest), fmt::format("{:.2f}", price.highest),
               fmt::format("{:.2f}", price.average), date_text(price.day)});
  }
  context.out.line("");
  table.print(context.out);
  if (prices.size() > kShownPrices)
    context.out.line(
        fmt::format("and {} more prices: --json has them all", prices.size() - kShownPrices));
}

void write_run_day(JsonWriter& json, const RunDay& day) {
  json.begin_object().field("day", date_text(day.day)).field("runs", day.runs);
  json.field("completed", day.completed).field("failed", day.failed);
  json.field("duration_ms", day.duration.count());
  json.key("pages").begin_object();
  json.field("total", day.pages.total).field("done", day.pages.done);
  json.field("failed", day.pages.failed).field("skipped", day.pages.skipped).end_object();
  json.key("items").begin_object();
  json.field("seen", day.items.seen).field("new", day.items.fresh);
  json.field("changed", day.items.changed).field("gone", day.items.gone).end_object();
  json.field("changes", day.changes);
  if (day.price_changes) json.field("price_changes", *day.price_changes);
  json.key("cpu_ms").raw(fmt::format("{:.3f}", static_cast<double>(day.cpu.count()) / 1000.0));
  json.field("bytes", day.bytes).end_object();
}

void write_price_day(JsonWriter& json, const PriceDay& day) {
  json.begin_object().field("day", date_text(day.day)).field("field", day.field);
  if (day.item != 0) json.field("item", day.item);
  if (!day.page.empty()) json.field("page", day.page);
  if (!day.currency.empty()) json.field("currency", day.currency);
  json.field("points", day.points);
  json.key("lowest").raw(fmt::format("{}", day.lowest));
  json.key("highest").raw(fmt::format("{}", day.highest));
  json.key("average").raw(fmt::format("{}", day.average)).end_object();
}

}  // namespace

Result<JobDays> job_days(CommandContext& context, const JobId& job) {
  auto loaded = load_for_reading(context);
  if (!loaded) return std::move(loaded).error();
  auto reader = open_history(context, loaded->project);
  if (!reader) return std::move(reader).error();
  store::DayRange range;
  range.day_of = context.backend.local_days(loaded->project);
  range.first = range.day_of(SystemClock().now()) - kDaysBack;
  auto runs = (*reader)->run_days(job, range);
  if (!runs) return std::move(runs).error();
  auto prices = (*reader)->price_days(job, range);
  if (!prices) return std::move(prices).error();
  return JobDays{std::move(*runs), std::move(*prices)};
}

void print_days(CommandContext& context, const JobDays& days) {
  print_runs(context, days.runs);
  print_prices(context, days.prices);
}

void write_days(JsonWriter& json, const JobDays& days) {
  json.key("days").begin_array();
  for (const RunDay& day : days.runs) write_run_day(json, day);
  json.end_array();
  if (days.prices.empty()) return;
  json.key("price_days").begin_array();
  for (const PriceDay& day : days.prices) write_price_day(json, day);
  json.end_array();
}

}  // namespace heddle::cli

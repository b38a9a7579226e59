#include "cli/day_table.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

namespace heddle::cli {

namespace {

constexpr std::int64_t kLongestBar = 20;
constexpr std::size_t kShownPrices = 20;

std::string bar(std::int64_t value, std::int64_t most) {
  if (value <= 0 || most <= 0) return "";
  const std::int64_t length = std::max<std::int64_t>(1, value * kLongestBar / most);
  std::string text;
  for (std::int64_t i = 0; i < length; ++i) text += "▇";
  return text;
}

void print_run_days(CommandContext& context, const std::vector<RunDay>& days) {
  if (days.empty()) return;
  std::int64_t most = 0;
  for (const RunDay& day : days) most = std::max(most, day.pages.total);
  TextTable table({"DAY", "RUNS", "FAILED", "PAGES", "", "NEW", "GONE", "CHANGES", "CPU"});
  for (const RunDay& day : days)
    table.add({date_text(day.day), std::to_string(day.runs), std::to_string(day.failed),
               std::to_string(day.pages.total), bar(day.pages.total, most),
               std::to_string(day.items.fresh), std::to_string(day.items.gone),
               std::to_string(day.changes), duration_text(day.cpu)});
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

}  // namespace

void print_days(CommandContext& context, const views::JobDays& days) {
  print_run_days(context, days.runs);
  print_prices(context, days.prices);
}

}  // namespace heddle::cli

#include "views/day_view.hpp"

#include <fmt/format.h>

#include "views/run_view.hpp"

namespace heddle::views {

namespace {

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

Result<JobDays> read_job_days(store::Reader& reader, const JobId& job,
                              const store::DayRange& range) {
  auto runs = reader.run_days(job, range);
  if (!runs) return std::move(runs).error();
  auto prices = reader.price_days(job, range);
  if (!prices) return std::move(prices).error();
  return JobDays{std::move(*runs), std::move(*prices)};
}

void write_days(JsonWriter& json, const JobDays& days) {
  json.key("days").array(days.runs, write_run_day);
  if (!days.prices.empty()) json.key("price_days").array(days.prices, write_price_day);
}

}  // namespace heddle::views

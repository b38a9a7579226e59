#include "schedule/zone/zone.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "base/log/printable.hpp"

namespace heddle::schedule {

namespace {

using std::chrono::local_seconds;
using std::chrono::seconds;
using std::chrono::sys_seconds;
using std::chrono::year;

constexpr std::size_t kLongestName = 100;

// No dot: nothing leads out of the database.
bool is_zone_name(std::string_view name) {
  if (name.empty() || name.front() == '/' || name.size() > kLongestName) return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' ||
           c == '_' || c == '-' || c == '+';
  });
}

Result<std::string> bytes_of(const std::filesystem::path& file) {
  std::error_code failure;
  if (!std::filesystem::is_regular_file(file, failure))
    return Error{ErrorCode::not_found, "there is no such zone in " + file.parent_path().string()};
  std::ifstream in(file, std::ios::binary);
  std::string bytes(kLargestZoneFile + 1, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (in.bad() || !in.is_open())
    return Error{ErrorCode::unavailable, file.string() + " cannot be read"};
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

year year_of(sys_seconds time) {
  return std::chrono::year_month_day(std::chrono::floor<std::chrono::days>(time)).year();
}

bool is_before(sys_seconds time, const ZoneChange& change) {
  return time < change.at;
}

}  // namespace

Result<TimeZone> TimeZone::load(std::string_view name, const std::filesystem::path& database) {
  if (name == "UTC") return TimeZone(ZoneHistory{});
  const auto action = [&] { return fmt::format("time zone \"{}\"", printable(name)); };
  if (!is_zone_name(name))
    return Error{ErrorCode::bad_input, "this is not the name of a zone"}.during(action());
  auto bytes = bytes_of(database / name);
  if (!bytes) return std::move(bytes).error().during(action());
  auto history = parse_tzif(*bytes);
  if (!history) return std::move(history).error().during(action());
  return TimeZone(*std::move(history));
}

ZoneSpan TimeZone::span_at(sys_seconds time) const {
  time = std::clamp(time, kFirstZoneTime, kLastZoneTime);
  const auto& changes = history_.changes;
  const auto next = std::upper_bound(changes.begin(), changes.end(), time, is_before);
  if (next == changes.end() && history_.rule)
    return span_by_rule(time, changes.empty() ? kOpenBegin : changes.back().at);
  ZoneSpan span{kOpenBegin, kOpenEnd, history_.first_offset};
  if (next != changes.begin()) {
    span.begin = std::prev(next)->at;
    span.offset = std::prev(next)->offset;
  }
  if (next != changes.end()) span.end = next->at;
  return span;
}

// The yearly changes around `time`. A change may lie up to a week outside of its year.
ZoneSpan TimeZone::span_by_rule(sys_seconds time, sys_seconds since) const {
  const PosixRule& rule = *history_.rule;
  ZoneSpan span{since, kOpenEnd, rule.standard};
  if (!rule.summer) return span;
  std::array<PosixRule::Change, 10> around{};
  auto* out = around.begin();
  for (int away = -2; away <= 2; ++away)
    out = std::ranges::copy(rule.changes_in(year_of(time) + std::chrono::years(away)), out).out;
  // Of two changes at one instant the one of the later year holds: some zones have summer all year.
  std::ranges::stable_sort(around, {}, &PosixRule::Change::at);
  const auto* next = std::ranges::upper_bound(around, time, {}, &PosixRule::Change::at);
  if (next != around.begin()) {
    span.begin = std::max(since, std::prev(next)->at);
    span.offset = std::prev(next)->offset;
  }
  if (next != around.end() && next->at <= kLastZoneTime) span.end = next->at;
  return span;
}

local_seconds TimeZone::shown_before(const ZoneSpan& span) const {
  if (span.begin <= kFirstZoneTime) return span.local_begin();
  // Spans that ended earlier than this cannot have shown a later local time.
  const sys_seconds earliest = span.begin - 2 * kFarthestOffset;
  local_seconds shown = local_seconds::min();
  for (ZoneSpan before = span; before.begin > earliest && before.begin > kFirstZoneTime;) {
    before = span_at(before.begin - seconds(1));
    shown = std::max(shown, before.local_end());
  }
  return shown;
}

LocalTimeMapping TimeZone::to_utc(local_seconds local) const {
  const sys_seconds as_utc =
      std::clamp(sys_seconds(local.time_since_epoch()), kFirstZoneTime, kLastZoneTime);
  local = local_seconds(as_utc.time_since_epoch());
  LocalTimeMapping meaning{LocalTimeMapping::Kind::skipped, {}, {}};
  bool is_change_known = false;
  for (ZoneSpan span = span_at(as_utc - kFarthestOffset);; span = span_at(span.end)) {
    const sys_seconds time = span.to_utc(local);
    const bool is_shown = span.begin <= time && time < span.end;
    if (is_shown && meaning.kind == LocalTimeMapping::Kind::skipped)
      meaning = {LocalTimeMapping::Kind::unique, time, time};
    else if (is_shown)
      meaning = {LocalTimeMapping::Kind::doubled, meaning.first, time};
    else if (meaning.kind == LocalTimeMapping::Kind::skipped && !is_change_known &&
             time < span.begin) {
      meaning.first = meaning.last = span.begin;
      is_change_known = true;
    }
    if (span.end > as_utc + kFarthestOffset) return meaning;
  }
}

Result<std::shared_ptr<const TimeZone>> ZoneCache::get(const std::string& name) {
  if (const auto known = zones_.find(name); known != zones_.end()) return known->second;
  auto zone = TimeZone::load(name, database_);
  if (!zone) return std::move(zone).error();
  return zones_.emplace(name, std::make_shared<const TimeZone>(*std::move(zone))).first->second;
}

}  // namespace heddle::schedule

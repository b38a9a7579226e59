// Converts between UTC and local time with the system's time zone database. Zones are immutable,
// shared by all schedules that use them, and safe to read from any thread.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "base/time.hpp"
#include "schedule/zone/tzif.hpp"

namespace heddle::schedule {

// Bounds of open spans, far enough from the limits of the type to add an offset.
inline constexpr std::chrono::sys_seconds kOpenBegin{std::chrono::seconds(-(1LL << 60))};
inline constexpr std::chrono::sys_seconds kOpenEnd{std::chrono::seconds(1LL << 60)};

// From `begin` up to, not including, `end` local time is UTC + offset.
struct ZoneSpan {
  std::chrono::sys_seconds begin;
  std::chrono::sys_seconds end;
  std::chrono::seconds offset{0};

  [[nodiscard]] std::chrono::local_seconds to_local(std::chrono::sys_seconds time) const {
    return std::chrono::local_seconds(time.time_since_epoch() + offset);
  }
  [[nodiscard]] std::chrono::sys_seconds to_utc(std::chrono::local_seconds time) const {
    return std::chrono::sys_seconds(time.time_since_epoch() - offset);
  }
  [[nodiscard]] std::chrono::local_seconds local_begin() const { return to_local(begin); }
  [[nodiscard]] std::chrono::local_seconds local_end() const { return to_local(end); }
};

// The instants of a local time: one; none, when clocks were put forward over it; or two, when they
// were put back.
struct LocalTimeMapping {
  enum class Kind { unique, skipped, doubled };

  Kind kind = Kind::unique;
  std::chrono::sys_seconds first;  // skipped: the change itself, in both
  std::chrono::sys_seconds last;
};

class TimeZone {
 public:
  // A name such as "Europe/Berlin"; "UTC" needs no database.
  static Result<TimeZone> load(std::string_view name, const std::filesystem::path& database);
  explicit TimeZone(ZoneHistory history) : history_(std::move(history)) {}

  [[nodiscard]] ZoneSpan span_at(std::chrono::sys_seconds time) const;
  [[nodiscard]] std::chrono::seconds offset_at(std::chrono::sys_seconds time) const {
    return span_at(time).offset;
  }
  [[nodiscard]] std::chrono::local_seconds to_local(std::chrono::sys_seconds time) const {
    return span_at(time).to_local(time);
  }
  [[nodiscard]] LocalTimeMapping to_utc(std::chrono::local_seconds local) const;

  // The local time up to which clocks had already shown everything when `span` began: later than
  // its own begin when the clocks were put back, earlier when they were put forward.
  [[nodiscard]] std::chrono::local_seconds shown_before(const ZoneSpan& span) const;

 private:
  [[nodiscard]] ZoneSpan span_by_rule(std::chrono::sys_seconds time,
                                      std::chrono::sys_seconds since) const;

  ZoneHistory history_;
};

// Loads each zone once. Not thread-safe; the returned zones are.
class ZoneCache {
 public:
  explicit ZoneCache(std::filesystem::path database) : database_(std::move(database)) {}

  Result<std::shared_ptr<const TimeZone>> get(const std::string& name);

 private:
  std::filesystem::path database_;
  std::map<std::string, std::shared_ptr<const TimeZone>> zones_;  // shared with the schedules
};

}  // namespace heddle::schedule

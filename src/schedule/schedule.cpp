#include "schedule/schedule.hpp"

#include <algorithm>

#include "schedule/cron_ticks.hpp"

namespace heddle::schedule {

namespace {

using std::chrono::milliseconds;

// More than ten years of daily ticks, all of them outside of the active hours: none ever comes.
constexpr int kMostDroppedTicks = 4000;

// Spreads a number's bits over the whole word (the finisher of SplitMix64).
std::uint64_t mixed(std::uint64_t value) {
  value += 0x9E3779B97F4A7C15;
  value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9;
  value = (value ^ value >> 27) * 0x94D049BB133111EB;
  return value ^ value >> 31;
}

// From 0 up to, not including, `limit`.
milliseconds share_of(std::uint64_t random, milliseconds limit) {
  if (limit <= milliseconds(0)) return milliseconds(0);
  return milliseconds(
      static_cast<std::int64_t>(random % static_cast<std::uint64_t>(limit.count())));
}

bool is_active(const Schedule& schedule, WallTime time) {
  return is_active(schedule.active_hours, *schedule.zone, time);
}

class IntervalTicks {
 public:
  IntervalTicks(const Schedule& schedule, milliseconds length, std::uint64_t seed)
      : schedule_(schedule), length_(length), seed_(seed), phase_(share_of(seed, length)) {}

  [[nodiscard]] std::optional<WallTime> next(WallTime after) const {
    const WallTime following = at_or_after(after + milliseconds(1));
    if (schedule_.active_hours.empty()) return following;
    // The previous tick may still be due: its active hours may begin after `after`.
    WallTime tick = following - length_;
    for (int i = 0; i < kMostDroppedTicks; ++i) {
      if (is_active(schedule_, tick)) {
        if (tick > after) return tick;
        tick += length_;
        continue;
      }
      const auto opening = next_active(schedule_.active_hours, *schedule_.zone, tick);
      if (!opening) return std::nullopt;
      const auto made_up = made_up_after(*opening);
      if (made_up && *made_up > after) return made_up;
      tick = at_or_after(*opening);
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] WallTime at_or_after(WallTime time) const {
    const milliseconds since = time.time_since_epoch() - phase_;
    auto count = since / length_;
    if (count * length_ < since) ++count;
    return WallTime(phase_ + count * length_);
  }

  // The tick for the hours that begin at `opening`, when the grid has none in them.
  [[nodiscard]] std::optional<WallTime> made_up_after(WallTime opening) const {
    const auto closing = active_until(schedule_.active_hours, *schedule_.zone, opening);
    if (!closing || at_or_after(opening) < *closing) return std::nullopt;
    return opening + share_of(mixed(seed_), *closing - opening);
  }

  const Schedule& schedule_;
  milliseconds length_;
  std::uint64_t seed_;
  milliseconds phase_;
};

std::optional<WallTime> next_cron_tick(const Schedule& schedule, const CronExpression& cron,
                                       WallTime after) {
  for (int i = 0; i < kMostDroppedTicks; ++i) {
    const std::optional<WallTime> tick = next_tick(cron, *schedule.zone, after);
    if (!tick || is_active(schedule, *tick)) return tick;
    const auto opening = next_active(schedule.active_hours, *schedule.zone, *tick);
    if (!opening) return std::nullopt;
    after = *opening - milliseconds(1);
  }
  return std::nullopt;
}

Tick with_jitter(const Schedule& schedule, std::uint64_t seed, WallTime planned) {
  milliseconds most = schedule.jitter;
  if (const auto* interval = std::get_if<Interval>(&schedule.when))
    most = std::min(most, interval->length - milliseconds(1));
  if (most <= milliseconds(0)) return {planned, planned};
  const auto number = static_cast<std::uint64_t>(planned.time_since_epoch().count());
  const WallTime due = planned + share_of(mixed(seed ^ mixed(number)), most + milliseconds(1));
  return {planned, is_active(schedule, due) ? due : planned};
}

}  // namespace

Result<Schedule> schedule_of(const Job& job, ZoneCache& zones) {
  auto zone = zones.get(job.timezone.empty() ? "UTC" : job.timezone);
  if (!zone) return std::move(zone).error();
  Schedule schedule{.when = OnDemand{}, .zone = *std::move(zone)};
  if (job.interval) {
    schedule.when = Interval{*job.interval};
  } else if (!job.schedule.empty() && job.schedule != "manual") {
    auto cron = parse_cron(job.schedule);
    if (!cron) return std::move(cron).error().during("schedule");
    schedule.when = *std::move(cron);
  }
  for (const std::string& hours : job.active_hours) {
    auto spans = parse_active_hours(hours);
    if (!spans) return std::move(spans).error().during("active_hours");
    schedule.active_hours.insert(schedule.active_hours.end(), spans->begin(), spans->end());
  }
  schedule.jitter = job.jitter;
  return schedule;
}

std::optional<Tick> next_tick(const Schedule& schedule, std::uint64_t seed, WallTime after) {
  if (after >= WallTime(kLastZoneTime)) return std::nullopt;
  after = std::max(after, WallTime(kFirstZoneTime));
  std::optional<WallTime> planned;
  if (const auto* interval = std::get_if<Interval>(&schedule.when)) {
    if (interval->length <= milliseconds(0)) return std::nullopt;
    planned = IntervalTicks(schedule, interval->length, seed).next(after);
  } else if (const auto* cron = std::get_if<CronExpression>(&schedule.when)) {
    planned = next_cron_tick(schedule, *cron, after);
  }
  if (!planned) return std::nullopt;
  return with_jitter(schedule, seed, *planned);
}

}  // namespace heddle::schedule

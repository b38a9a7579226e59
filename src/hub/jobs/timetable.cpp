#include "hub/jobs/timetable.hpp"

namespace heddle::hub {

Status Timetable::set(JobNumber number, const Job& job) {
  auto schedule = schedule::schedule_of(job, zones_);
  if (!schedule) return std::move(schedule).error().during("job '" + job.name + "'");
  if (rows_.size() <= number) rows_.resize(number + 1);
  Row& row = rows_[number];
  row.schedule = std::move(*schedule);
  row.seed = schedule::seed_of(job.id);
  row.misfire = job.misfire;
  return Done{};
}

std::optional<WallTime> Timetable::plan(JobNumber number, WallTime now,
                                        std::chrono::milliseconds spread,
                                        std::optional<WallTime> not_after) {
  Row& row = rows_.at(number);
  const schedule::CatchUpRules rules{.misfire = row.misfire, .spread = spread};
  row.planned = schedule::plan_next(row.schedule, row.seed, row.handled_until, now, rules);
  row.is_not_tick = not_after && (!row.planned || *not_after < row.planned->tick.due);
  if (row.is_not_tick) {
    queue_.set(number, *not_after);
    return not_after;
  }
  if (!row.planned) {
    queue_.remove(number);
    return std::nullopt;
  }
  queue_.set(number, row.planned->tick.due);
  return row.planned->tick.due;
}

bool Timetable::is_catch_up(JobNumber number) const {
  const Row& row = rows_.at(number);
  return row.planned && !row.is_not_tick && row.planned->is_catch_up;
}

void Timetable::wake(JobNumber number, WallTime at) {
  rows_.at(number).planned.reset();
  queue_.set(number, at);
}

schedule::LocalDay Timetable::day_of(JobNumber number, WallTime now) const {
  return schedule::local_day(*rows_.at(number).schedule.zone, now);
}

std::optional<JobNumber> Timetable::take_due(WallTime now) {
  const auto due = queue_.pop_due(now);
  if (!due) return std::nullopt;
  taken_due_ = due->due;
  Row& row = rows_.at(due->job);
  if (row.planned && !row.is_not_tick) row.handled_until = row.planned->covers_until;
  row.planned.reset();
  return due->job;
}

}  // namespace heddle::hub

#include "schedule/dependencies.hpp"

#include <algorithm>
#include <set>

namespace heddle::schedule {

namespace {

bool fits(TriggerOn on, RunEnd end) {
  if (on == TriggerOn::finished) return true;
  return (on == TriggerOn::completed) == (end == RunEnd::completed);
}

struct Step {
  const JobId* job;
  const std::vector<After>* waits_for;  // null: for nothing
  std::size_t next = 0;
};

std::vector<JobId> circle_in(const std::vector<Step>& way, const JobId& first) {
  std::vector<JobId> circle;
  for (const Step& step : way)
    if (!circle.empty() || *step.job == first) circle.push_back(*step.job);
  circle.push_back(first);
  return circle;
}

}  // namespace

void Dependencies::set(const JobId& job, std::vector<After> after) {
  if (const auto old = waits_for_.find(job); old != waits_for_.end()) {
    for (const After& each : old->second) {
      const auto followed = followers_.find(each.job);
      if (followed == followers_.end()) continue;  // was listed twice
      followed->second.erase(job);
      if (followed->second.empty()) followers_.erase(followed);
    }
    waits_for_.erase(old);
  }
  if (after.empty()) return;
  for (const After& each : after) followers_[each.job][job].push_back(each.on);
  waits_for_.emplace(job, std::move(after));
}

std::vector<JobId> Dependencies::started_by(const JobId& job, RunEnd end) const {
  std::vector<JobId> started;
  const auto followed = followers_.find(job);
  if (followed == followers_.end()) return started;
  for (const auto& [follower, conditions] : followed->second) {
    const bool is_met = std::any_of(conditions.begin(), conditions.end(),
                                    [end](TriggerOn on) { return fits(on, end); });
    if (is_met) started.push_back(follower);
  }
  return started;
}

// Depth first along what jobs wait for; without recursion, as chains may be long.
std::vector<JobId> Dependencies::find_circle() const {
  std::set<JobId> finished;
  std::set<JobId> on_way;
  const auto step_to = [this](const JobId& job) {
    const auto found = waits_for_.find(job);
    return Step{&job, found == waits_for_.end() ? nullptr : &found->second};
  };
  for (const auto& [start, unused] : waits_for_) {
    if (finished.contains(start)) continue;
    std::vector<Step> way{step_to(start)};
    on_way = {start};
    while (!way.empty()) {
      Step& step = way.back();
      if (step.waits_for == nullptr || step.next == step.waits_for->size()) {
        finished.insert(*step.job);
        on_way.erase(*step.job);
        way.pop_back();
        continue;
      }
      const JobId& other = (*step.waits_for)[step.next++].job;
      if (on_way.contains(other)) return circle_in(way, other);
      if (finished.contains(other)) continue;
      on_way.insert(other);
      way.push_back(step_to(other));
    }
  }
  return {};
}

}  // namespace heddle::schedule

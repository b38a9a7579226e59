#include "schedule/dependencies.hpp"

#include <algorithm>
#include <set>

namespace heddle::schedule {

namespace {

// A cancelled or stopped run starts no other; a limited one counts as completed.
bool fits(TriggerOn on, RunState ended) {
  const bool is_completed = ended == RunState::completed || ended == RunState::limited;
  if (!is_completed && ended != RunState::failed) return false;
  return on == TriggerOn::finished || (on == TriggerOn::completed) == is_completed;
}

struct VisitedJob {
  const JobId* job;
  const std::vector<UpstreamTrigger>* waits_for;  // nullptr: no upstream job
  std::size_t next = 0;
};

std::vector<JobId> cycle_in(const std::vector<VisitedJob>& path, const JobId& first) {
  std::vector<JobId> cycle;
  for (const VisitedJob& step : path)
    if (!cycle.empty() || *step.job == first) cycle.push_back(*step.job);
  cycle.push_back(first);
  return cycle;
}

}  // namespace

void Dependencies::set(const JobId& job, std::vector<UpstreamTrigger> after) {
  if (const auto old = waits_for_.find(job); old != waits_for_.end()) {
    for (const UpstreamTrigger& each : old->second) {
      const auto upstream = dependents_.find(each.job);
      if (upstream == dependents_.end()) continue;  // was listed twice
      upstream->second.erase(job);
      if (upstream->second.empty()) dependents_.erase(upstream);
    }
    waits_for_.erase(old);
  }
  if (after.empty()) return;
  for (const UpstreamTrigger& each : after) dependents_[each.job][job].push_back(each.on);
  waits_for_.emplace(job, std::move(after));
}

std::vector<JobId> Dependencies::jobs_triggered_by(const JobId& job, RunState ended) const {
  std::vector<JobId> started;
  const auto upstream = dependents_.find(job);
  if (upstream == dependents_.end()) return started;
  for (const auto& [dependent, conditions] : upstream->second) {
    const bool is_met = std::any_of(conditions.begin(), conditions.end(),
                                    [ended](TriggerOn on) { return fits(on, ended); });
    if (is_met) started.push_back(dependent);
  }
  return started;
}

// Depth-first search without recursion, because chains may be long.
std::vector<JobId> Dependencies::find_cycle() const {
  std::set<JobId> finished;
  std::set<JobId> on_path;
  const auto visit = [this](const JobId& job) {
    const auto found = waits_for_.find(job);
    return VisitedJob{&job, found == waits_for_.end() ? nullptr : &found->second};
  };
  for (const auto& [start, unused] : waits_for_) {
    if (finished.contains(start)) continue;
    std::vector<VisitedJob> path{visit(start)};
    on_path = {start};
    while (!path.empty()) {
      VisitedJob& step = path.back();
      if (step.waits_for == nullptr || step.next == step.waits_for->size()) {
        finished.insert(*step.job);
        on_path.erase(*step.job);
        path.pop_back();
        continue;
      }
      const JobId& other = (*step.waits_for)[step.next++].job;
      if (on_path.contains(other)) return cycle_in(path, other);
      if (finished.contains(other)) continue;
      on_path.insert(other);
      path.push_back(visit(other));
    }
  }
  return {};
}

}  // namespace heddle::schedule

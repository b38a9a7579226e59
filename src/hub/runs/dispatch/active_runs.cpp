#include "hub/runs/dispatch/active_runs.hpp"

namespace heddle::hub {

using supervise::SlotRef;

ActiveRun* ActiveRuns::find(const RunId& run) const {
  const auto found = runs_.find(run);
  return found == runs_.end() ? nullptr : found->second;
}

ActiveRun* ActiveRuns::held_by(SlotRef holder, const RunId& run) const {
  ActiveRun* found = find(run);
  return found != nullptr && found->holder == holder ? found : nullptr;
}

std::vector<ActiveRun*> ActiveRuns::all_held_by(SlotRef holder) const {
  std::vector<ActiveRun*> held;
  for (const auto& [id, run] : runs_)
    if (run->holder == holder) held.push_back(run);
  return held;
}

std::vector<ActiveRun*> ActiveRuns::all() const {
  std::vector<ActiveRun*> all;
  for (const auto& [id, run] : runs_) all.push_back(run);
  return all;
}

}  // namespace heddle::hub

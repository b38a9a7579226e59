#include "lifecycle/check_state.hpp"

#include <string>

namespace heddle::lifecycle {

namespace {

CheckState check_after(const Run& run, int alert_after, const JobLife& life) {
  switch (run.state) {
    case RunState::completed:
      return CheckState::ok;
    case RunState::limited:
      return CheckState::limited;
    case RunState::failed:
      return life.failed_runs >= alert_after ? CheckState::failing : life.check;
    default:
      return life.check;  // cancelled or stopped: says nothing about the pages
  }
}

}  // namespace

void note_run_end(const Run& run, int alert_after, bool is_quarantined, JobLife& life,
                  std::vector<JobEvent>& events, WallTime now) {
  const CheckState before = life.check;
  if (run.state == RunState::failed) ++life.failed_runs;
  if (run.state == RunState::completed || run.state == RunState::limited) life.failed_runs = 0;
  life.check = is_quarantined ? CheckState::quarantined : check_after(run, alert_after, life);
  const bool is_first_success = before == CheckState::pending && life.check == CheckState::ok;
  if (life.check == before || is_first_success) return;
  JobEvent event;
  event.kind = "check." + std::string(to_text(life.check));
  event.at = now;
  event.run = run.id;
  event.data = {{"from", std::string(to_text(before))}};
  if (!run.errors.empty()) event.data.emplace_back("error", run.errors.front().message);
  events.push_back(std::move(event));
}

}  // namespace heddle::lifecycle

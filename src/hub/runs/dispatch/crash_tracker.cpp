#include "hub/runs/dispatch/crash_tracker.hpp"

namespace heddle::hub {

void CrashTracker::record_crash(const Job& job) {
  Crashes& crashes = crashes_[job.id];
  if (crashes.revision != job.revision) crashes = {job.revision, 0};
  ++crashes.in_a_row;
}

// A quarantine stays: a late page of an earlier run does not end it.
void CrashTracker::note_page_done(const JobId& job) {
  const auto found = crashes_.find(job);
  if (found != crashes_.end() && found->second.in_a_row < poison_limit_) crashes_.erase(found);
}

void CrashTracker::clear(const JobId& job) {
  crashes_.erase(job);
}

bool CrashTracker::is_quarantined(const Job& job) const {
  const auto found = crashes_.find(job.id);
  return found != crashes_.end() && found->second.revision == job.revision &&
         found->second.in_a_row >= poison_limit_;
}

int CrashTracker::crashes(const JobId& job) const {
  const auto found = crashes_.find(job);
  return found == crashes_.end() ? 0 : found->second.in_a_row;
}

}  // namespace heddle::hub

#include "hub/suspects.hpp"

namespace heddle::hub {

void Suspects::note_death(const Job& job) {
  Deaths& deaths = deaths_[job.id];
  if (deaths.revision != job.revision) deaths = {job.revision, 0};
  ++deaths.in_a_row;
}

// What is in quarantine stays there: a page of an earlier run that is done late frees nobody.
void Suspects::note_page_done(const JobId& job) {
  const auto found = deaths_.find(job);
  if (found != deaths_.end() && found->second.in_a_row < poison_limit_) deaths_.erase(found);
}

void Suspects::release(const JobId& job) {
  deaths_.erase(job);
}

bool Suspects::is_quarantined(const Job& job) const {
  const auto found = deaths_.find(job.id);
  return found != deaths_.end() && found->second.revision == job.revision &&
         found->second.in_a_row >= poison_limit_;
}

int Suspects::deaths(const JobId& job) const {
  const auto found = deaths_.find(job);
  return found == deaths_.end() ? 0 : found->second.in_a_row;
}

}  // namespace heddle::hub

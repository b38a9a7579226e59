// CrashTracker counts worker crashes per job. After a crash a job is suspect and runs isolated;
// after several in a row without a completed page it is quarantined. Pure.
#pragma once

#include <string>
#include <unordered_map>

#include "base/ids.hpp"
#include "model/job/job.hpp"

namespace heddle::hub {

class CrashTracker {
 public:
  explicit CrashTracker(int poison_limit) : poison_limit_(poison_limit) {}
  void set_poison_limit(int poison_limit) { poison_limit_ = poison_limit; }

  // A worker died while it computed for this job.
  void record_crash(const Job& job) {
    Crashes& crashes = crashes_[job.id];
    if (crashes.revision != job.revision) crashes = {job.revision, 0};
    ++crashes.in_a_row;
  }
  // A quarantine stays: a late page of an earlier run does not end it.
  void note_page_done(const JobId& job) {
    if (crashes(job) < poison_limit_) crashes_.erase(job);
  }
  void clear(const JobId& job) { crashes_.erase(job); }

  [[nodiscard]] bool is_suspect(const JobId& job) const { return crashes_.contains(job); }
  // Until clear(), or a change of its configuration or script.
  [[nodiscard]] bool is_quarantined(const Job& job) const {
    const auto found = crashes_.find(job.id);
    return found != crashes_.end() && found->second.revision == job.revision &&
           found->second.in_a_row >= poison_limit_;
  }
  [[nodiscard]] int crashes(const JobId& job) const {
    const auto found = crashes_.find(job);
    return found == crashes_.end() ? 0 : found->second.in_a_row;
  }

 private:
  struct Crashes {
    std::string revision;
    int in_a_row = 0;
  };

  int poison_limit_;
  std::unordered_map<JobId, Crashes> crashes_;
};

}  // namespace heddle::hub

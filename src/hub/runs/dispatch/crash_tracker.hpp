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
  void record_crash(const Job& job);
  void note_page_done(const JobId& job);
  void clear(const JobId& job);

  [[nodiscard]] bool is_suspect(const JobId& job) const { return crashes_.contains(job); }
  // Until clear(), or a change of its configuration or script.
  [[nodiscard]] bool is_quarantined(const Job& job) const;
  [[nodiscard]] int crashes(const JobId& job) const;

 private:
  struct Crashes {
    std::string revision;
    int in_a_row = 0;
  };

  int poison_limit_;
  std::unordered_map<JobId, Crashes> crashes_;
};

}  // namespace heddle::hub

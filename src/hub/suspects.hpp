// Jobs under which workers died. One that died lately works alone; one under which they die again
// and again, with no page done in between, is put into quarantine. Pure.
#pragma once

#include <string>
#include <unordered_map>

#include "base/ids.hpp"
#include "model/job.hpp"

namespace heddle::hub {

class Suspects {
 public:
  explicit Suspects(int poison_limit) : poison_limit_(poison_limit) {}
  void set_poison_limit(int poison_limit) { poison_limit_ = poison_limit; }

  // A worker died while it computed for this job.
  void note_death(const Job& job);
  void note_page_done(const JobId& job);
  void release(const JobId& job);

  [[nodiscard]] bool is_suspect(const JobId& job) const { return deaths_.contains(job); }
  // Until it is released, or its configuration or a script has changed.
  [[nodiscard]] bool is_quarantined(const Job& job) const;
  [[nodiscard]] int deaths(const JobId& job) const;

 private:
  struct Deaths {
    std::string revision;
    int in_a_row = 0;
  };

  int poison_limit_;
  std::unordered_map<JobId, Deaths> deaths_;
};

}  // namespace heddle::hub

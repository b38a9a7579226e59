// What supervised processes left behind: with a subreaper it becomes ours, so we end and reap it.
// The host's own children are never touched. One loop.
#pragma once

#include <set>
#include <string>

#include <sys/types.h>

namespace heddle::embed {

class Orphans {
 public:
  // `mark` is a "NAME=value" that stands in the environment of every supervised process. Makes this
  // process the subreaper.
  explicit Orphans(std::string mark);
  ~Orphans();  // sweeps once more; a subreaper no longer, unless it was one before
  Orphans(const Orphans&) = delete;
  Orphans& operator=(const Orphans&) = delete;

  void keep_out(pid_t supervised) { supervised_.insert(supervised); }
  // Its slot's process has ended and was reaped; its number still names the group it led.
  void on_death(pid_t supervised);

  // Kills what is ours by the mark, or in the group of a supervised process that has ended, and
  // reaps what was killed. Never waits: now and then is often enough.
  void sweep();

 private:
  [[nodiscard]] bool is_left_behind(pid_t child) const;
  void forget_empty_groups();

  std::string mark_;
  bool was_subreaper_ = false;
  std::set<pid_t> supervised_;  // somebody else reaps them
  std::set<pid_t> groups_;      // of those that have ended, while somebody is in them
  std::set<pid_t> doomed_;      // killed, not reaped
};

}  // namespace heddle::embed

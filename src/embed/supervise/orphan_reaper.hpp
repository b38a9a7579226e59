// Makes this process a subreaper, and kills and reaps processes that supervised processes leave
// behind. Never touches the host's own children. One event loop.
#pragma once

#include <map>
#include <set>
#include <string>

#include <sys/types.h>

namespace heddle::embed {

class OrphanReaper {
 public:
  // `tag` is a "NAME=value" in the environment of every supervised process.
  explicit OrphanReaper(std::string tag);
  ~OrphanReaper();  // sweeps once more and restores the subreaper setting
  OrphanReaper(const OrphanReaper&) = delete;
  OrphanReaper& operator=(const OrphanReaper&) = delete;

  void add_supervised(pid_t supervised);
  // The process has ended and was reaped; its pid is still the id of the group it led.
  void on_death(pid_t supervised);

  // Kills children with the tag, in the group of a supervised process that has ended, or seen among
  // the descendants of a supervised process before, and reaps killed ones. Never blocks; call it
  // periodically.
  void sweep();

 private:
  [[nodiscard]] bool is_left_behind(pid_t child) const;
  void note_descendants();
  void remove_empty_groups();

  std::string tag_;
  bool was_subreaper_ = false;
  std::map<pid_t, std::string> supervised_;  // with their start times; the supervisor reaps them
  std::set<pid_t> groups_;  // of ended supervised processes, while they have members
  std::set<pid_t> killed_;  // not yet reaped
  // The start times of processes below supervised ones, by pid: what they may leave behind.
  std::map<pid_t, std::string> descendants_;
};

}  // namespace heddle::embed

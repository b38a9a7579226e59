#include "process/tree/inherited_processes.hpp"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/shepherd/process_tree.hpp"
#include "process/tree/own_children.hpp"

namespace heddle::process {

namespace {

constexpr std::chrono::milliseconds kSweepInterval{2};

// The kernel lists the children of each thread separately. False: it lists none at all.
bool add_listed_children(std::vector<pid_t>& all) {
  bool is_listed = false;
  std::error_code error;
  for (std::filesystem::directory_iterator thread("/proc/self/task", error), end;
       !error && thread != end; thread.increment(error)) {
    std::ifstream list(thread->path() / "children");
    is_listed = is_listed || list.is_open();
    for (pid_t child = 0; list >> child;) all.push_back(child);
  }
  return is_listed;
}

// For kernels without these lists.
void add_children_of_all_processes(std::vector<pid_t>& all) {
  const pid_t self = getpid();
  std::error_code error;
  for (std::filesystem::directory_iterator entry("/proc", error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    pid_t pid = 0;
    std::from_chars(name.data(), name.data() + name.size(), pid);
    shepherd::ProcessStat found;
    if (pid > 0 && shepherd::read_process(pid, found) && found.parent == self) all.push_back(pid);
  }
}

std::vector<pid_t> children_of_this_process() {
  std::vector<pid_t> all;
  if (!add_listed_children(all)) add_children_of_all_processes(all);
  return all;
}

}  // namespace

SubreaperScope::SubreaperScope() {
  int before = 0;
  prctl(PR_GET_CHILD_SUBREAPER, &before, 0, 0, 0);
  was_subreaper_ = before != 0;
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

SubreaperScope::~SubreaperScope() {
  if (!was_subreaper_) prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
}

// The own children are listed first: one that is reaped meanwhile is known, and one that is started
// meanwhile is noticed. Only this function reaps the others, so their pids cannot be reused.
bool kill_inherited_children() {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  const auto starts = started_children();
  if (!starts) return false;
  const auto own = own_children();
  const auto children = children_of_this_process();
  if (started_children() != starts) return false;
  bool is_clear = true;
  for (const pid_t child : children) {
    if (own.contains(child)) continue;
    is_clear = false;
    kill(child, SIGKILL);
    waitpid(child, nullptr, WNOHANG);
  }
  return is_clear;
}

bool kill_inherited_processes(std::chrono::milliseconds timeout) {
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  while (!kill_inherited_children()) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(kSweepInterval);
  }
  return true;
}

}  // namespace heddle::process

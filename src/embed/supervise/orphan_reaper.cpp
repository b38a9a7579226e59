#include "embed/supervise/orphan_reaper.hpp"

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>
#include <vector>

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace heddle::embed {

namespace {

constexpr int kMaxSweeps = 200;

std::string read_whole(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// The kernel lists the children of each thread separately.
std::vector<pid_t> children_of(const std::string& process) {
  std::vector<pid_t> all;
  std::error_code error;
  for (std::filesystem::directory_iterator thread("/proc/" + process + "/task", error), end;
       !error && thread != end; thread.increment(error)) {
    std::istringstream list(read_whole(thread->path() / "children"));
    for (pid_t child = 0; list >> child;) all.push_back(child);
  }
  return all;
}

std::string process_file(pid_t pid, const char* name) {
  return read_whole("/proc/" + std::to_string(pid) + "/" + name);
}

// From "PID (NAME) STATE PARENT GROUP …".
struct StatFields {
  bool has_ended = false;
  pid_t parent = 0;
  pid_t group = 0;
  std::string start;  // distinguishes processes that had the same pid; empty: there is none
};

StatFields read_stat(pid_t pid) {
  constexpr int kFieldsBetween = 17;  // between the group and the start
  StatFields found;
  const std::string text = process_file(pid, "stat");
  const auto name_end = text.rfind(')');
  if (name_end == std::string::npos) return found;
  std::istringstream rest(text.substr(name_end + 1));
  char state = 0;
  rest >> state >> found.parent >> found.group;
  found.has_ended = state == 'Z';
  for (int i = 0; i < kFieldsBetween; ++i) rest >> found.start;
  return found;
}

bool has_variable(const std::string& environment, const std::string& variable) {
  const std::string wanted = '\0' + variable + '\0';
  return ('\0' + environment + '\0').find(wanted) != std::string::npos;
}

}  // namespace

OrphanReaper::OrphanReaper(std::string tag) : tag_(std::move(tag)) {
  int before = 0;
  prctl(PR_GET_CHILD_SUBREAPER, &before, 0, 0, 0);
  was_subreaper_ = before != 0;
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

OrphanReaper::~OrphanReaper() {
  sweep();
  for (int i = 0; i < kMaxSweeps && !killed_.empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    sweep();
  }
  if (!was_subreaper_) prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
}

void OrphanReaper::on_death(pid_t supervised) {
  supervised_.erase(supervised);
  groups_.insert(supervised);
  sweep();
}

void OrphanReaper::add_supervised(pid_t supervised) {
  supervised_.insert_or_assign(supervised, read_stat(supervised).start);
}

// A process that clears its environment and leaves its group is known from here when it is orphaned
// later. Below a supervised process there is never one of the host's own children; the parent is
// checked after its child, because a pid may be reused meanwhile.
void OrphanReaper::note_descendants() {
  std::vector<std::pair<pid_t, std::string>> to_visit(supervised_.begin(), supervised_.end());
  while (!to_visit.empty()) {
    const auto [parent, start] = to_visit.back();
    to_visit.pop_back();
    std::map<pid_t, std::string> found;
    for (const pid_t child : children_of(std::to_string(parent))) {
      const StatFields stat = read_stat(child);
      if (stat.parent == parent && !stat.start.empty()) found.emplace(child, stat.start);
    }
    if (start.empty() || read_stat(parent).start != start) continue;
    for (const auto& [child, child_start] : found) {
      descendants_.insert_or_assign(child, child_start);
      to_visit.emplace_back(child, child_start);
    }
  }
}

void OrphanReaper::sweep() {
  std::erase_if(descendants_,
                [](const auto& each) { return read_stat(each.first).start != each.second; });
  for (const pid_t child : children_of("self")) {
    if (killed_.contains(child) || !is_left_behind(child)) continue;
    kill(child, SIGKILL);
    killed_.insert(child);  // the pid is not reused before the reap
  }
  std::erase_if(killed_, [](pid_t child) { return waitpid(child, nullptr, WNOHANG) != 0; });
  remove_empty_groups();
  note_descendants();
}

// The id of an empty group may be reused.
void OrphanReaper::remove_empty_groups() {
  std::erase_if(groups_, [](pid_t group) { return kill(-group, 0) != 0 && errno == ESRCH; });
}

// The environment of an ended process cannot be read, but its group can.
bool OrphanReaper::is_left_behind(pid_t child) const {
  if (supervised_.contains(child)) return false;
  const StatFields stat = read_stat(child);
  if (stat.group != child && groups_.contains(stat.group)) return true;
  const auto known = descendants_.find(child);
  if (known != descendants_.end() && known->second == stat.start) return true;
  return !stat.has_ended && has_variable(process_file(child, "environ"), tag_);
}

}  // namespace heddle::embed

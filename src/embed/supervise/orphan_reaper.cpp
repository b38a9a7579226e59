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
std::vector<pid_t> children() {
  std::vector<pid_t> all;
  std::error_code error;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", error)) {
    std::istringstream list(read_whole(thread.path() / "children"));
    for (pid_t child = 0; list >> child;) all.push_back(child);
  }
  return all;
}

std::string process_file(pid_t pid, const char* name) {
  return read_whole("/proc/" + std::to_string(pid) + "/" + name);
}

// The group and whether it has ended, from "PID (NAME) STATE PARENT GROUP …".
std::pair<pid_t, bool> group_and_end(pid_t pid) {
  const std::string text = process_file(pid, "stat");
  const auto name_end = text.rfind(')');
  if (name_end == std::string::npos) return {0, false};
  std::istringstream rest(text.substr(name_end + 1));
  char state = 0;
  pid_t parent = 0;
  pid_t group = 0;
  rest >> state >> parent >> group;
  return {group, state == 'Z'};
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

void OrphanReaper::sweep() {
  for (const pid_t child : children()) {
    if (killed_.contains(child) || !is_left_behind(child)) continue;
    kill(child, SIGKILL);
    killed_.insert(child);  // the pid is not reused before the reap
  }
  std::erase_if(killed_, [](pid_t child) { return waitpid(child, nullptr, WNOHANG) != 0; });
  remove_empty_groups();
}

// The id of an empty group may be reused.
void OrphanReaper::remove_empty_groups() {
  std::erase_if(groups_, [](pid_t group) { return kill(-group, 0) != 0 && errno == ESRCH; });
}

// The environment of an ended process cannot be read, but its group can.
bool OrphanReaper::is_left_behind(pid_t child) const {
  if (supervised_.contains(child)) return false;
  const auto [group, has_ended] = group_and_end(child);
  if (group != child && groups_.contains(group)) return true;
  return !has_ended && has_variable(process_file(child, "environ"), tag_);
}

}  // namespace heddle::embed

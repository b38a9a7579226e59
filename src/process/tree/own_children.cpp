#include "process/tree/own_children.hpp"

#include <map>
#include <mutex>

namespace heddle::process {

namespace {

struct ChildList {
  std::mutex mutex;
  std::map<pid_t, ChildToken> tokens;
  ChildToken last_token = 0;
  std::uint64_t starts = 0;
  int starts_in_progress = 0;
};

// Never destroyed: a child may be reaped while the process exits.
ChildList& child_list() {
  static auto* const list = new ChildList;
  return *list;
}

}  // namespace

ChildStartScope::ChildStartScope() {
  ChildList& list = child_list();
  const std::lock_guard lock(list.mutex);
  ++list.starts;
  ++list.starts_in_progress;
}

ChildStartScope::~ChildStartScope() {
  ChildList& list = child_list();
  const std::lock_guard lock(list.mutex);
  --list.starts_in_progress;
}

ChildToken ChildStartScope::add(pid_t pid) {
  ChildList& list = child_list();
  const std::lock_guard lock(list.mutex);
  list.tokens[pid] = ++list.last_token;
  return list.last_token;
}

// The pid may already belong to the next child.
void remove_own_child(pid_t pid, ChildToken token) {
  ChildList& list = child_list();
  const std::lock_guard lock(list.mutex);
  const auto found = list.tokens.find(pid);
  if (found != list.tokens.end() && found->second == token) list.tokens.erase(found);
}

std::optional<std::uint64_t> started_children() {
  ChildList& list = child_list();
  const std::lock_guard lock(list.mutex);
  if (list.starts_in_progress > 0) return std::nullopt;
  return list.starts;
}

std::set<pid_t> own_children() {
  ChildList& list = child_list();
  const std::lock_guard lock(list.mutex);
  std::set<pid_t> pids;
  for (const auto& [pid, token] : list.tokens) pids.insert(pid);
  return pids;
}

}  // namespace heddle::process

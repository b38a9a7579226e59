#include "process/shepherd/process_tree.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace heddle::process::shepherd {

namespace {

// The fields of stat after the name, counted from 0.
constexpr int kParentField = 1;
constexpr int kStartField = 19;

int compare_numbers(const void* left, const void* right) {
  const pid_t a = static_cast<const ProcessStat*>(left)->pid;
  const pid_t b = static_cast<const ProcessStat*>(right)->pid;
  return (a > b) - (a < b);
}

void signal_same_process(const ProcessStat& record, int signal) {
  const int pidfd = static_cast<int>(syscall(SYS_pidfd_open, record.pid, 0));
  if (pidfd < 0) return;
  // The pidfd pins the process, so the start time read now is that of the process it names.
  ProcessStat now;
  if (read_process(record.pid, now) && now.start_ticks == record.start_ticks)
    syscall(SYS_pidfd_send_signal, pidfd, signal, nullptr, 0);
  close(pidfd);
}

}  // namespace

bool parse_process(const char* text, std::size_t size, ProcessStat& record) {
  const char* name_end = static_cast<const char*>(memrchr(text, ')', size));
  if (name_end == nullptr || name_end + 2 >= text + size) return false;
  record.pid = static_cast<pid_t>(strtol(text, nullptr, 10));
  const char* field = name_end + 2;
  record.state = *field;
  for (int index = 0; field != nullptr; ++index) {
    if (index == kParentField) record.parent = static_cast<pid_t>(strtol(field, nullptr, 10));
    if (index == kStartField) {
      record.start_ticks = strtoull(field, nullptr, 10);
      return true;
    }
    field = strchr(field, ' ');
    if (field != nullptr) ++field;
  }
  return false;
}

bool read_process(pid_t pid, ProcessStat& record) {
  char text[1024];
  snprintf(text, sizeof text, "/proc/%d/stat", pid);
  const int file = open(text, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  if (size <= 0) return false;
  text[size] = '\0';
  return parse_process(text, static_cast<std::size_t>(size), record);
}

ProcessTree::ProcessTree(pid_t root) {
  read_all();
  qsort(records_, count_, sizeof(ProcessStat), compare_numbers);
  mark(root);
}

ProcessTree::~ProcessTree() {
  free(records_);
}

// A process missed for lack of memory or descriptors is found by the next scan.
void ProcessTree::read_all() {
  DIR* folder = opendir("/proc");
  if (folder == nullptr) return;
  // NOLINTNEXTLINE(concurrency-mt-unsafe): the handle is local
  while (const dirent* entry = readdir(folder)) {
    const pid_t pid = static_cast<pid_t>(strtol(entry->d_name, nullptr, 10));
    ProcessStat record;
    if (pid <= 0 || !read_process(pid, record)) continue;
    if (count_ == capacity_) {
      const std::size_t more = capacity_ == 0 ? 512 : capacity_ * 2;
      void* grown = reallocarray(records_, more, sizeof(ProcessStat));
      if (grown == nullptr) break;
      records_ = static_cast<ProcessStat*>(grown);
      capacity_ = more;
    }
    records_[count_++] = record;
  }
  closedir(folder);
}

// Usually one round: a child's pid is nearly always higher than its parent's.
void ProcessTree::mark(pid_t root) {
  for (bool has_grown = true; has_grown;) {
    has_grown = false;
    for (std::size_t i = 0; i < count_; ++i) {
      ProcessStat& record = records_[i];
      if (record.is_in_tree || (record.parent != root && !has_marked_parent(record))) continue;
      record.is_in_tree = true;
      has_grown = true;
      ++tree_size_;
      if (record.start_ticks > newest_start_) newest_start_ = record.start_ticks;
    }
  }
}

// The snapshot is not atomic: a pid may have been reused. But no process is older than its parent,
// not even than a parent that adopted it.
bool ProcessTree::has_marked_parent(const ProcessStat& record) const {
  ProcessStat wanted;
  wanted.pid = record.parent;
  const auto* parent = static_cast<const ProcessStat*>(
      bsearch(&wanted, records_, count_, sizeof(ProcessStat), compare_numbers));
  return parent != nullptr && parent->is_in_tree && parent->start_ticks <= record.start_ticks;
}

void ProcessTree::send_signal(int signal) const {
  const pid_t self = getpid();
  for (std::size_t i = 0; i < count_; ++i) {
    const ProcessStat& record = records_[i];
    if (!record.is_in_tree) continue;
    // Only this process reaps its children, so their pids cannot have been reused.
    if (record.parent == self)
      kill(record.pid, signal);
    else
      signal_same_process(record, signal);
  }
}

}  // namespace heddle::process::shepherd

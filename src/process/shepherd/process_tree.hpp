// Takes a snapshot of a process tree from /proc. libc only: part of the shepherd.
#pragma once

#include <cstddef>
#include <cstdint>

#include <sys/types.h>

namespace heddle::process::shepherd {

struct ProcessStat {
  pid_t pid = 0;
  char state = '?';  // as in /proc/PID/stat
  pid_t parent = 0;
  std::uint64_t start_ticks = 0;  // since boot: distinguishes processes that reuse a pid
  bool is_in_tree = false;
};

// False when there is no such process.
bool read_process(pid_t pid, ProcessStat& record);

// Parses the text of /proc/PID/stat, zero-terminated after `size`; false when it is malformed.
bool parse_process(const char* text, std::size_t size, ProcessStat& record);

class ProcessTree {
 public:
  // All living descendants of `root`.
  explicit ProcessTree(pid_t root);
  ~ProcessTree();
  ProcessTree(const ProcessTree&) = delete;
  ProcessTree& operator=(const ProcessTree&) = delete;

  // Signals each descendant, never a process that reuses its pid. The root must be the calling
  // process, which reaps its children itself.
  void send_signal(int signal) const;

  [[nodiscard]] std::size_t size() const { return tree_size_; }
  [[nodiscard]] std::uint64_t newest_start() const { return newest_start_; }

 private:
  void read_all();
  void mark(pid_t root);
  [[nodiscard]] bool has_marked_parent(const ProcessStat& record) const;

  ProcessStat* records_ = nullptr;  // by pid
  std::size_t count_ = 0;
  std::size_t capacity_ = 0;
  std::size_t tree_size_ = 0;
  std::uint64_t newest_start_ = 0;
};

}  // namespace heddle::process::shepherd

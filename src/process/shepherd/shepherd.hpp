// Starts one program, reports its exit to the owner and kills all processes it leaves behind: as a
// subreaper it becomes the parent of every orphaned descendant. libc only.
#pragma once

#include <cstdint>

#include <sys/resource.h>
#include <sys/types.h>

#include "process/shepherd/protocol.hpp"

namespace heddle::process::shepherd {

struct ShepherdSetup {
  int control = -1;
  int claim = -1;                      // becomes one byte long once the program has been executed
  std::int64_t leftover_grace_ms = 0;  // for processes that outlive the program
  char** program = nullptr;            // zero-terminated arguments
  char** environment = nullptr;
};

class Shepherd {
 public:
  explicit Shepherd(const ShepherdSetup& setup) : setup_(setup), control_(setup.control) {}

  int run();  // returns the exit code when no descendant is left

 private:
  bool prepare();
  bool start_program();
  [[nodiscard]] bool has_owner() const;
  void release_program_resources() const;
  void reap_ended();
  void reap_program();
  void begin_killing();
  void kill_all_now();
  void wait_for_events();
  [[nodiscard]] int milliseconds_to_wait() const;
  void read_commands();
  void read_signals();
  void execute(const ShepherdCommand& command);
  void on_owner_lost();
  void send(const ShepherdReport& report);

  ShepherdSetup setup_;
  int control_;  // -1: the owner is gone
  int signals_ = -1;
  pid_t owner_ = 0;
  pid_t program_ = 0;  // 0: reaped
  bool has_descendants_ = true;
  bool is_killing_ = false;
  std::int64_t leftover_deadline_ms_ = -1;  // when leftovers are killed; -1: the program runs
  std::int64_t next_scan_ms_ = 0;           // while killing
  std::int64_t scan_interval_ms_ = 0;
  std::uint64_t newest_start_ = 0;
};

}  // namespace heddle::process::shepherd

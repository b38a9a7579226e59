// Starts one program, tells its owner how it ended, and lets nothing of it live on: every process
// that ever descends from it becomes our child once its own parents are gone. libc only.
#pragma once

#include <cstdint>

#include <sys/resource.h>
#include <sys/types.h>

#include "process/shepherd/protocol.hpp"

namespace heddle::process::shepherd {

struct Setup {
  int control = -1;
  std::int64_t leftover_grace_ms = 0;  // for what outlives the program
  char** program = nullptr;            // zero-terminated arguments
  char** environment = nullptr;
};

class Shepherd {
 public:
  explicit Shepherd(const Setup& setup) : setup_(setup), control_(setup.control) {}

  int run();  // until nobody is left; the exit code

 private:
  bool prepare();
  bool start_program();
  void let_go_of_the_programs_things() const;
  void reap_ended();
  void reap_program();
  void begin_killing();
  void kill_all_now();
  void wait_for_news();
  [[nodiscard]] int milliseconds_to_wait() const;
  void read_orders();
  void read_signals();
  void obey(const Order& order);
  void lose_owner();
  void send(const Report& report);

  Setup setup_;
  int control_;  // -1: the owner is gone
  int signals_ = -1;
  pid_t owner_ = 0;
  pid_t program_ = 0;  // 0: reaped
  bool has_descendants_ = true;
  bool is_killing_ = false;
  std::int64_t leftovers_end_ms_ =
      -1;                          // when what outlived the program is killed; -1: not yet known
  std::int64_t next_look_ms_ = 0;  // while killing
  std::int64_t look_interval_ms_ = 0;
  std::uint64_t newest_start_ = 0;
};

}  // namespace heddle::process::shepherd

// Functions that a supervised process calls to report to its coordinator. They do nothing in a
// process without a coordinator and before attach().
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "heddle/export.hpp"

namespace heddle::child {

enum class StopBy {
  signal,  // SIGTERM
  asking,  // the process polls is_stop_requested()
};

// Call it early, before other threads start. False: this process was not started by a coordinator.
HEDDLE_API bool attach(StopBy stop_by = StopBy::signal);

// These are safe from any thread and from signal handlers.
HEDDLE_API void ready();
HEDDLE_API void heartbeat();
// Announces that the process accepts no more work and will exit: then status 0 is a normal exit.
HEDDLE_API void begin_draining();
// Opts in to a respawn after a crash or an unpublished exit.
HEDDLE_API void enable_recovery();
// Any number; the event of this process's death carries the last one.
HEDDLE_API void set_working_on(std::uint64_t what);
[[nodiscard]] HEDDLE_API bool is_stop_requested();

[[nodiscard]] HEDDLE_API std::uint32_t slot();
[[nodiscard]] HEDDLE_API std::uint32_t occurrence();

}  // namespace heddle::child

namespace heddle {

// Defines the function of processes spawned with ProcessSpec::worker = name. It returns the exit
// status.
HEDDLE_API void define_worker(std::string name, std::function<int()> worker);

// Call it first in main(). In a worker: attaches, runs the function, begins draining and returns
// the exit status for main(). In any other process: nullopt.
HEDDLE_API std::optional<int> run_if_worker(int argc, char* const* argv);

}  // namespace heddle

// What a supervised process says to its coordinator. In a process that has none, or before
// attach(), all of it does nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "heddle/export.hpp"

namespace heddle::child {

enum class StopBy {
  signal,  // SIGTERM
  asking,  // the process looks at is_stop_requested() now and then
};

// Early, before there are other threads. False: this process was not started by a coordinator.
HEDDLE_API bool attach(StopBy stop_by = StopBy::signal);

// These are safe from any thread and from signal handlers.
HEDDLE_API void ready();
HEDDLE_API void heartbeat();
// "I take no more work and will leave": status 0 is a normal exit from now on.
HEDDLE_API void begin_draining();
// Opts in to be respawned after a crash or an unpublished end.
HEDDLE_API void enable_recovery();
// Any number; the event of this process's death carries the last one.
HEDDLE_API void set_working_on(std::uint64_t what);
[[nodiscard]] HEDDLE_API bool is_stop_requested();

[[nodiscard]] HEDDLE_API std::uint32_t slot();
[[nodiscard]] HEDDLE_API std::uint32_t occurrence();

}  // namespace heddle::child

namespace heddle {

// What a process spawned with ProcessSpec::worker = name does; its result is the exit status.
HEDDLE_API void define_worker(std::string name, std::function<int()> worker);

// First of all in main(). In a worker: attaches, runs the function, begins draining when that
// returns, and gives the exit status to return. Everywhere else: nullopt.
HEDDLE_API std::optional<int> run_if_worker(int argc, char* const* argv);

}  // namespace heddle

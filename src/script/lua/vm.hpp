// One Lua state with everything that belongs to it: memory, threads, and what it is computing now.
// One thread. Reached from C functions through Vm::of.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include <lua.hpp>

#include "base/free_with.hpp"
#include "base/result.hpp"
#include "script/host.hpp"
#include "script/job_script.hpp"
#include "script/lua/allocator.hpp"
#include "script/lua/run_budget.hpp"
#include "script/lua/threads.hpp"

namespace heddle::script {

class CallCore;
class CycleContext;

// Why the running code gave control back to the engine.
enum class Pause { none, want, slice };

// What the VM computes at this moment.
struct Running {
  CallCore* call = nullptr;
  RunBudget* budget = nullptr;  // none: the engine's own work
  lua_State* thread = nullptr;  // the innermost coroutine
  bool can_wait = false;        // all coroutines around the innermost one can be left by a yield
  bool is_deferred = false;     // in a defer callback
  bool is_dumping = false;      // in dump(), and in what it calls
  int nested_closes = 0;
  std::uint64_t steps = 0;  // of C functions since the last look at the clock
  Pause pause = Pause::none;
};

class Vm final : private Allocator::Watch {
 public:
  static Result<std::unique_ptr<Vm>> make(const JobScriptSettings& settings, Host& host);
  static Vm& of(lua_State* lua) { return **static_cast<Vm**>(lua_getextraspace(lua)); }

  Vm(const JobScriptSettings& settings, Host& host);
  ~Vm() override;
  Vm(const Vm&) = delete;
  Vm& operator=(const Vm&) = delete;

  [[nodiscard]] lua_State* main() { return state_.get(); }
  [[nodiscard]] Host& host() { return host_; }
  [[nodiscard]] const JobScriptSettings& settings() const { return settings_; }
  [[nodiscard]] Allocator& allocator() { return allocator_; }
  [[nodiscard]] const Allocator& allocator() const { return allocator_; }
  [[nodiscard]] Threads& threads() { return threads_; }
  [[nodiscard]] const Threads& threads() const { return threads_; }

  Running running;
  // Coroutines of scripts that wait, with a call, for the engine: nobody else may resume them.
  std::unordered_map<lua_State*, CallCore*> paused;
  std::vector<CallCore*> calls;   // all there are, running, waiting or not yet begun
  std::uint64_t last_serial = 0;  // of a call
  // Whose last_fetch and selector_matches the globals are.
  const CycleContext* global_owner = nullptr;
  bool mentions_last_fetch = false;  // some text that was loaded does

  // Not even the engine's own part of a call found memory.
  void set_broken() { is_broken_ = true; }
  [[nodiscard]] bool is_broken() const { return is_broken_; }

 private:
  Status open();
  void on_pressure() override;
  bool may_go_on() override;

  JobScriptSettings settings_;
  Host& host_;
  Allocator allocator_;
  std::unique_ptr<lua_State, FreeWith<lua_close>> state_;
  Threads threads_;
  bool is_broken_ = false;
};

}  // namespace heddle::script

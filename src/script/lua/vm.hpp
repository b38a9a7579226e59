// Vm owns one Lua state with its memory, its threads and the state of the running code. Not
// thread-safe. C functions get it with Vm::of.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include <lua.hpp>

#include "base/free_with.hpp"
#include "base/result.hpp"
#include "script/job_script.hpp"
#include "script/lua/call_budget.hpp"
#include "script/lua/lua_allocator.hpp"
#include "script/lua/lua_thread_pool.hpp"
#include "script/vm_host.hpp"

namespace heddle::script {

class LuaCall;
class CycleContext;

// Why the running code yielded to the engine.
enum class YieldReason { none, want, slice };

// The code that the VM is running.
struct RunningCode {
  LuaCall* call = nullptr;
  CallBudget* budget = nullptr;  // nullptr: engine code
  lua_State* thread = nullptr;   // the innermost coroutine
  bool can_wait = false;         // all coroutines around the innermost one can yield
  bool is_deferred = false;      // in a defer callback
  bool is_dumping = false;       // in dump(), and in what it calls
  int nested_closes = 0;
  std::uint64_t steps = 0;  // of C functions since the clock was last read
  YieldReason yield_reason = YieldReason::none;
};

class Vm final : private LuaAllocator::Observer {
 public:
  static Result<std::unique_ptr<Vm>> make(const JobScriptSettings& settings, VmHost& host);
  static Vm& of(lua_State* lua) { return **static_cast<Vm**>(lua_getextraspace(lua)); }

  Vm(const JobScriptSettings& settings, VmHost& host);
  ~Vm() override;
  Vm(const Vm&) = delete;
  Vm& operator=(const Vm&) = delete;

  [[nodiscard]] lua_State* main() { return state_.get(); }
  [[nodiscard]] VmHost& host() { return host_; }
  [[nodiscard]] const JobScriptSettings& settings() const { return settings_; }
  [[nodiscard]] LuaAllocator& allocator() { return allocator_; }
  [[nodiscard]] const LuaAllocator& allocator() const { return allocator_; }
  [[nodiscard]] LuaThreadPool& threads() { return threads_; }
  [[nodiscard]] const LuaThreadPool& threads() const { return threads_; }

  RunningCode running;
  // Coroutines of scripts that wait for the engine, with their call: only that call resumes them.
  std::unordered_map<lua_State*, LuaCall*> waiting_coroutines;
  std::vector<LuaCall*> calls;    // running, waiting or not yet started
  std::uint64_t last_serial = 0;  // of a call
  // The cycle whose last_fetch and selector_matches the globals show.
  const CycleContext* global_owner = nullptr;
  bool mentions_last_fetch = false;  // some loaded file does
  bool mentions_telemetry = false;   // the global spyweb_telemetry
  bool mentions_page_class = false;  // a field `class`

  // Called when engine code ran out of memory.
  void set_broken() { is_broken_ = true; }
  [[nodiscard]] bool is_broken() const { return is_broken_; }

 private:
  Status open();
  void on_pressure() override;
  bool may_continue() override;

  JobScriptSettings settings_;
  VmHost& host_;
  LuaAllocator allocator_;
  std::unique_ptr<lua_State, FreeWith<lua_close>> state_;
  LuaThreadPool threads_;
  bool is_broken_ = false;
};

}  // namespace heddle::script

// CycleContext implements ScriptContext as the Lua table `ctx` and keeps the legacy globals that
// mirror it up to date. Not thread-safe.
#pragma once

#include <chrono>

#include "script/job_script.hpp"

struct lua_State;

namespace heddle::script {

class Vm;

class CycleContext final : public ScriptContext {
 public:
  CycleContext(Vm& vm, const CycleFacts& facts);
  ~CycleContext() override;
  CycleContext(const CycleContext&) = delete;
  CycleContext& operator=(const CycleContext&) = delete;

  void set_last_fetch(const FetchResult& result) override;
  void set_last_fetch_provider(std::function<FetchResult()> provider) override;
  void set_selector_matches(std::size_t count) override;
  void set_not_modified(bool is_not_modified) override;
  void set_changes(const std::vector<FieldChange>& changes) override;
  void set_trace(const CycleTrace& trace) override { trace_ = &trace; }

  // Pushes the ctx table, nil when there was no memory for one. Never raises.
  void push(lua_State* lua) const;
  // Pushes the provider's result and stores it as last_fetch; false without a provider. May raise.
  bool push_provided_fetch(lua_State* lua) const;
  // Makes the table on top of the stack last_fetch; does not pop it. May raise.
  void adopt_last_fetch(lua_State* lua) const;

  // Sets the global spyweb_telemetry, one table per cycle, to what the trace has now. May raise.
  void update_telemetry_global(lua_State* lua) const;
  // Sets the global to the table of this cycle, if the script mentions it. Never raises.
  void switch_telemetry_global(lua_State* lua) const;

  [[nodiscard]] const CycleFacts& facts() const { return facts_; }
  [[nodiscard]] const CycleTrace* trace() const { return trace_; }
  [[nodiscard]] std::chrono::microseconds age() const;

 private:
  template <class Work>
  void in_vm(Work&& work);

  Vm& vm_;
  CycleFacts facts_;
  const CycleTrace* trace_ = nullptr;
  std::function<FetchResult()> last_fetch_provider_;
  std::chrono::steady_clock::time_point start_;
  int reference_;            // of the ctx table
  int telemetry_reference_;  // of the global spyweb_telemetry; none: the script does not mention it
};

// Sets the globals last_fetch and selector_matches to those of this cycle, or to nil without one.
// spyweb_telemetry stays what it was without one.
void set_cycle_globals(Vm& vm, const CycleContext* context);
// Call it when a hook of the cycle begins, after set_cycle_globals().
void update_telemetry_global(Vm& vm, const CycleContext* context);

}  // namespace heddle::script

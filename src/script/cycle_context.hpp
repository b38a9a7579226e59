// `ctx` of one cycle as a Lua table, and the globals of the older form that mirror it.
#pragma once

#include <chrono>

#include "script/job_script.hpp"

struct lua_State;

namespace heddle::script {

class Vm;

class CycleContext final : public Context {
 public:
  CycleContext(Vm& vm, const CycleFacts& facts);
  ~CycleContext() override;
  CycleContext(const CycleContext&) = delete;
  CycleContext& operator=(const CycleContext&) = delete;

  void set_last_fetch(const FetchResult& result) override;
  void offer_last_fetch(std::function<FetchResult()> supply) override;
  void set_selector_matches(std::size_t count) override;
  void set_not_modified(bool is_not_modified) override;
  void set_trace(const CycleTrace& trace) override { trace_ = &trace; }

  // Pushes the ctx table, nil when there was no memory for one. Never raises.
  void push(lua_State* lua) const;
  // Pushes what was offered as last_fetch and makes it ctx's own; false when nothing was. May
  // raise.
  bool push_offered_fetch(lua_State* lua) const;
  // Takes the table on top of the stack as last_fetch, and leaves it there. May raise.
  void adopt_last_fetch(lua_State* lua) const;

  [[nodiscard]] const CycleFacts& facts() const { return facts_; }
  [[nodiscard]] const CycleTrace* trace() const { return trace_; }
  [[nodiscard]] std::chrono::microseconds age() const;

 private:
  template <class Work>
  void in_vm(Work&& work);

  Vm& vm_;
  CycleFacts facts_;
  const CycleTrace* trace_ = nullptr;
  std::function<FetchResult()> offered_fetch_;
  std::chrono::steady_clock::time_point start_;
  int reference_;  // of the ctx table
};

// Makes the globals last_fetch and selector_matches those of this cycle, or nil without one.
void show_globals_of(Vm& vm, const CycleContext* context);

}  // namespace heddle::script

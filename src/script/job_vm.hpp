// JobVm implements JobScript on a Vm: finds hooks, pushes their arguments, reads their results.
#pragma once

#include <array>

#include "script/cycle_context.hpp"
#include "script/job_script.hpp"
#include "script/lua/vm.hpp"
#include "script/lua_hook_call.hpp"

namespace heddle::script {

class JobVm final : public JobScript {
 public:
  explicit JobVm(std::unique_ptr<Vm> vm);

  std::unique_ptr<HookCall<Nothing>> load(ScriptSource source) override;
  void find_hooks() override;
  [[nodiscard]] bool has(ScriptHook hook) const override;
  std::unique_ptr<ScriptContext> begin_cycle(const CycleFacts& facts) override;

  std::unique_ptr<HookCall<FetchRequest>> before_fetch(ScriptContext&,
                                                       const FetchRequest&) override;
  std::unique_ptr<HookCall<OverrideFetchResult>> override_fetch(ScriptContext&,
                                                                const FetchRequest&) override;
  std::unique_ptr<HookCall<AfterFetchResult>> after_fetch(ScriptContext&,
                                                          const FetchResult&) override;
  std::unique_ptr<HookCall<Items>> override_extract(ScriptContext&, const FetchResponse&) override;
  std::unique_ptr<HookCall<Items>> items_hook(ScriptHook hook, ScriptContext&,
                                              const Items&) override;
  std::unique_ptr<HookCall<FilteredItems>> filter_items(ScriptContext&, const Items&) override;
  std::unique_ptr<HookCall<ScriptValue>> before_webhook(ScriptContext&,
                                                        const ScriptValue& payload) override;
  std::unique_ptr<HookCall<Nothing>> on_success(ScriptContext&) override;
  std::unique_ptr<HookCall<Nothing>> on_error(ScriptContext&, const std::string& error) override;
  std::unique_ptr<HookCall<Nothing>> on_finally(ScriptContext&) override;
  std::unique_ptr<HookCall<Nothing>> on_finished() override;
  std::unique_ptr<HookCall<Nothing>> function(const std::string& name) override;

  std::vector<std::string> global_functions(std::string_view prefix) override;
  [[nodiscard]] std::size_t memory_bytes() const override { return vm_->allocator().used(); }
  [[nodiscard]] bool mentions_last_fetch() const override { return vm_->mentions_last_fetch; }
  [[nodiscard]] bool mentions_page_class() const override { return vm_->mentions_page_class; }
  [[nodiscard]] bool is_broken() const override { return vm_->is_broken(); }

  [[nodiscard]] Vm& vm() { return *vm_; }

 private:
  static void keep_hook(lua_State* lua, int& reference);
  // hook(argument, ctx): push_argument(lua) pushes the argument, or nothing.
  template <class T, class Push>
  std::unique_ptr<HookCall<T>> call(ScriptHook hook, ScriptContext* context, Push push_argument,
                                    typename LuaHookCall<T>::Read read);
  std::unique_ptr<HookCall<Nothing>> lifecycle(ScriptHook hook, ScriptContext* context);
  [[nodiscard]] int reference(ScriptHook hook) const {
    return references_[static_cast<std::size_t>(hook)];
  }

  std::unique_ptr<Vm> vm_;
  std::array<int, kHookCount> references_{};  // of the functions, in the registry
};

}  // namespace heddle::script

// The JobScript on a Vm: hooks are looked up, their arguments pushed and their results read.
#pragma once

#include <array>

#include "script/cycle_context.hpp"
#include "script/hook_call.hpp"
#include "script/job_script.hpp"
#include "script/lua/vm.hpp"

namespace heddle::script {

class JobVm final : public JobScript {
 public:
  explicit JobVm(std::unique_ptr<Vm> vm);

  std::unique_ptr<HookCall<Nothing>> load(Source source) override;
  void find_hooks() override;
  [[nodiscard]] bool has(Hook hook) const override;
  std::unique_ptr<Context> begin_cycle(const CycleFacts& facts) override;

  std::unique_ptr<HookCall<FetchRequest>> before_fetch(Context&, const FetchRequest&) override;
  std::unique_ptr<HookCall<OverrideFetch>> override_fetch(Context&, const FetchRequest&) override;
  std::unique_ptr<HookCall<AfterFetch>> after_fetch(Context&, const FetchResult&) override;
  std::unique_ptr<HookCall<Items>> override_extract(Context&, const FetchResponse&) override;
  std::unique_ptr<HookCall<Items>> items_hook(Hook hook, Context&, const Items&) override;
  std::unique_ptr<HookCall<Items>> filter_items(Context&, const Items&) override;
  std::unique_ptr<HookCall<Value>> before_webhook(Context&, const Value& payload) override;
  std::unique_ptr<HookCall<Nothing>> on_success(Context&) override;
  std::unique_ptr<HookCall<Nothing>> on_error(Context&, const std::string& error) override;
  std::unique_ptr<HookCall<Nothing>> on_finally(Context&) override;
  std::unique_ptr<HookCall<Nothing>> on_finished() override;
  std::unique_ptr<HookCall<Nothing>> function(const std::string& name) override;

  std::vector<std::string> global_functions(std::string_view prefix) override;
  [[nodiscard]] std::size_t memory_bytes() const override { return vm_->allocator().used(); }
  [[nodiscard]] bool names_last_fetch() const override { return vm_->mentions_last_fetch; }
  [[nodiscard]] bool is_broken() const override { return vm_->is_broken(); }

  [[nodiscard]] Vm& vm() { return *vm_; }

 private:
  static void keep_hook(lua_State* lua, int& reference);
  // hook(argument, ctx): push_argument(lua) pushes the argument, or nothing.
  template <class T, class Push>
  std::unique_ptr<HookCall<T>> call(Hook hook, Context* context, Push push_argument,
                                    typename ScriptCall<T>::Read read);
  std::unique_ptr<HookCall<Nothing>> lifecycle(Hook hook, Context* context);
  [[nodiscard]] int reference(Hook hook) const {
    return references_[static_cast<std::size_t>(hook)];
  }

  std::unique_ptr<Vm> vm_;
  std::array<int, kHookCount> references_{};  // of the functions, in the registry
};

}  // namespace heddle::script

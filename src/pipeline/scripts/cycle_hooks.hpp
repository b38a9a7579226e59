// The hooks of one cycle: calls them where the script has them, keeps their traces, and says what
// becomes of the cycle.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "model/trace.hpp"
#include "pipeline/scripts/loaded_script.hpp"
#include "script/job_script.hpp"

namespace heddle::pipeline {

enum class HookVerdict {
  go_on,
  skip,  // the script returned nil or false
  fail,  // see failure()
};

// Made for jobs with a script only. Every method goes on at once when the script lacks the hook. A
// hook that raises is logged and leaves its value as it was; one that a budget cut ends the cycle.
class CycleHooks {
 public:
  CycleHooks(LoadedScript& script, const script::CycleFacts& facts, CycleTrace& trace);
  ~CycleHooks();
  CycleHooks(const CycleHooks&) = delete;
  CycleHooks& operator=(const CycleHooks&) = delete;

  [[nodiscard]] bool has(script::Hook hook) const { return script_.has(hook); }
  [[nodiscard]] bool reads_pages() const { return script_.reads_pages(); }
  [[nodiscard]] bool names_last_fetch() const { return script_.vm().names_last_fetch(); }
  // Why the cycle fails; empty: no hook has been cut or has failed it otherwise.
  [[nodiscard]] const std::string& failure() const { return failure_; }
  [[nodiscard]] script::Context& context() { return *context_; }

  Async<HookVerdict> before_fetch(FetchRequest& request);
  // Only when there is such a hook. A budget that cut it is told by failure(), too.
  Async<script::OverrideFetch> override_fetch(const FetchRequest& request);
  // `result` keeps the response to go on with. Only when there is such a hook.
  Async<HookVerdict> after_fetch(script::FetchResult& result);
  // Only when there is such a hook; gives the items, none when it returned nil.
  Async<HookVerdict> override_extract(const FetchResponse& response, std::vector<Item>& items);
  // after_extract, before_store, before_notify
  Async<HookVerdict> change_items(script::Hook hook, std::vector<Item>& items);
  // Only when there is such a hook.
  Async<HookVerdict> filter_items(std::vector<Item>& items);
  Async<HookVerdict> before_webhook(script::Value& payload);
  // on_success, or on_error with the message; then on_finally.
  Async<void> finish(const std::string* error);

 private:
  template <class T>
  Async<script::HookEnd<T>> run(script::Hook hook, std::unique_ptr<script::HookCall<T>> call);
  template <class T>
  Async<HookVerdict> change(script::Hook hook, std::unique_ptr<script::HookCall<T>> call, T& value);
  HookVerdict fail(std::string message);

  LoadedScript& script_;
  CycleTrace& trace_;
  std::unique_ptr<script::Context> context_;
  std::string failure_;
};

}  // namespace heddle::pipeline

// CycleHooks calls the hooks of one cycle that the script defines, records their traces and decides
// whether the cycle continues.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "model/run/trace.hpp"
#include "pipeline/scripts/loaded_script.hpp"
#include "script/job_script.hpp"

namespace heddle::pipeline {

enum class HookVerdict {
  proceed,
  skip,  // the script returned nil or false
  fail,  // see failure()
};

// Only for jobs with a script. Without the hook a method returns `proceed`. A hook that raises is
// logged and leaves its value unchanged; one that exceeds its budget ends the cycle.
class CycleHooks {
 public:
  CycleHooks(LoadedScript& script, const script::CycleFacts& facts, CycleTrace& trace);
  ~CycleHooks();
  CycleHooks(const CycleHooks&) = delete;
  CycleHooks& operator=(const CycleHooks&) = delete;

  [[nodiscard]] bool has(script::ScriptHook hook) const { return script_.has(hook); }
  [[nodiscard]] bool reads_pages() const { return script_.reads_pages(); }
  [[nodiscard]] bool mentions_last_fetch() const { return script_.vm().mentions_last_fetch(); }
  [[nodiscard]] bool mentions_page_class() const { return script_.vm().mentions_page_class(); }
  // Why the cycle fails; empty: no hook has failed it.
  [[nodiscard]] const std::string& failure() const { return failure_; }
  // The first error that a hook raised; empty: none has.
  [[nodiscard]] const std::string& first_error() const { return first_error_; }
  [[nodiscard]] script::ScriptContext& context() { return *context_; }
  [[nodiscard]] CycleTrace& trace() { return trace_; }

  Async<HookVerdict> before_fetch(FetchRequest& request);
  // Requires the hook. When it exceeds its budget, failure() is set as well.
  Async<script::OverrideFetchResult> override_fetch(const FetchRequest& request);
  // Requires the hook. `result` receives the response to continue with, and the class of the page.
  Async<HookVerdict> after_fetch(script::FetchResult& result);
  // Requires the hook. Sets the items; none when it returned nil.
  Async<HookVerdict> override_extract(const FetchResponse& response, std::vector<Item>& items);
  // after_extract, before_store, before_notify
  Async<HookVerdict> change_items(script::ScriptHook hook, std::vector<Item>& items);
  // Requires the hook. Moves the items whose call failed to `held_back`, unless they are kept.
  Async<HookVerdict> filter_items(std::vector<Item>& items, std::vector<Item>& held_back);
  Async<HookVerdict> before_webhook(script::ScriptValue& payload);
  // on_success, or on_error with the message; then on_finally.
  Async<void> finish(const std::string* error);

 private:
  template <class T>
  Async<script::HookResult<T>> run(script::ScriptHook hook,
                                   std::unique_ptr<script::HookCall<T>> call);
  template <class T>
  Async<HookVerdict> change(script::ScriptHook hook, std::unique_ptr<script::HookCall<T>> call,
                            T& value);
  HookVerdict fail(std::string message);
  void note_error(std::string message);

  LoadedScript& script_;
  CycleTrace& trace_;
  std::unique_ptr<script::ScriptContext> context_;
  std::string failure_;
  std::string first_error_;
};

}  // namespace heddle::pipeline

// JobScript runs all scripts of one job in one sandboxed Lua VM and calls their hooks.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "html/parse.hpp"
#include "model/run/change.hpp"
#include "model/run/item.hpp"
#include "model/run/trace.hpp"
#include "model/web/fetch.hpp"
#include "script/script_call.hpp"
#include "script/script_hook.hpp"
#include "script/script_limits.hpp"
#include "script/vm_host.hpp"

namespace heddle::script {

struct FetchResult {  // `result`, `ctx.last_fetch`
  FetchRequest request;
  std::optional<FetchResponse> response;  // for HTTP errors too
  std::optional<FetchError> error;        // none: ok
  // `result.class`: what kind of page it is. Only for after_fetch of scripts that mention it.
  std::optional<std::string> page_class{};
};

struct AfterFetchResult {                 // what after_fetch returned
  std::optional<FetchResponse> response;  // after a success: the original with a new body
  std::optional<std::string> page_class{};
  bool has_class = false;  // page_class counts: not of a table that the script made itself
};

// The response of override_fetch, or its error.
using OverrideFetchResult = std::variant<FetchResponse, FetchError>;

struct FilteredItems {
  std::vector<Item> kept;       // as the hook returned them
  std::vector<Item> held_back;  // the hook raised an error for them
};

struct Nothing {};  // the result of lifecycle hooks and files

// Facts about the cycle that ctx shows.
struct CycleFacts {
  std::string job_id;
  std::string job_name;
  std::vector<std::pair<std::string, std::string>> vars;
  std::string run_id;
  int worker_id = 1;
  int attempt = 1;
  double start_time = 0;  // Unix seconds
};

// `ctx` of one cycle. Destroy it after on_finally: that clears the table and the globals last_fetch
// and selector_matches.
class ScriptContext {
 public:
  virtual ~ScriptContext() = default;

  virtual void set_last_fetch(const FetchResult& result) = 0;
  // Lazy form of set_last_fetch: `provider` is called when the script first reads last_fetch while
  // the context exists, or immediately when the script mentions last_fetch at all.
  virtual void set_last_fetch_provider(std::function<FetchResult()> provider) = 0;
  virtual void set_selector_matches(std::size_t count) = 0;
  virtual void set_not_modified(bool is_not_modified) = 0;
  virtual void set_changes(const std::vector<FieldChange>& changes) = 0;
  // Read when the script reads ctx.telemetry; must outlive the context.
  virtual void set_trace(const CycleTrace& trace) = 0;
};

struct JobScriptSettings {
  ScriptLimits limits;
  html::Parser* parser = nullptr;   // for html.parse
  std::string version;              // engine.version
  std::string storage = "sqlite";   // engine.storage
  bool is_headless = true;          // engine.headless: no desktop
  bool keeps_failed_items = false;  // of filter_item; else they are held back
  bool is_test = false;  // adds the global `heddle` (and `spyweb`): assertions, run_cycle
};

// Not thread-safe. Several calls may be open at a time if only one of them computes and all others
// wait for an answer.
class JobScript {
 public:
  static Result<std::unique_ptr<JobScript>> make(const JobScriptSettings& settings, VmHost& host);
  virtual ~JobScript() = default;

  // Runs a file. A syntax error is reported on resume, with file and line.
  [[nodiscard]] virtual std::unique_ptr<HookCall<Nothing>> load(ScriptSource source) = 0;
  // Looks up the hooks. Call it once after the last file; tests that replace hooks call it again.
  virtual void find_hooks() = 0;
  [[nodiscard]] virtual bool has(ScriptHook hook) const = 0;

  [[nodiscard]] virtual std::unique_ptr<ScriptContext> begin_cycle(const CycleFacts& facts) = 0;

  using Items = std::vector<Item>;
  // Arguments are copied into Lua when the call is created.
  virtual std::unique_ptr<HookCall<FetchRequest>> before_fetch(ScriptContext&,
                                                               const FetchRequest&) = 0;
  virtual std::unique_ptr<HookCall<OverrideFetchResult>> override_fetch(ScriptContext&,
                                                                        const FetchRequest&) = 0;
  virtual std::unique_ptr<HookCall<AfterFetchResult>> after_fetch(ScriptContext&,
                                                                  const FetchResult&) = 0;
  virtual std::unique_ptr<HookCall<Items>> override_extract(ScriptContext&,
                                                            const FetchResponse&) = 0;
  // after_extract, before_store and before_notify.
  virtual std::unique_ptr<HookCall<Items>> items_hook(ScriptHook hook, ScriptContext&,
                                                      const Items&) = 0;
  // Calls filter_item for each item, each with its own budget and deferred callbacks. Each call
  // that fails is a warning; one that exceeds its budget ends all.
  virtual std::unique_ptr<HookCall<FilteredItems>> filter_items(ScriptContext&, const Items&) = 0;
  virtual std::unique_ptr<HookCall<ScriptValue>> before_webhook(ScriptContext&,
                                                                const ScriptValue& payload) = 0;
  virtual std::unique_ptr<HookCall<Nothing>> on_success(ScriptContext&) = 0;
  virtual std::unique_ptr<HookCall<Nothing>> on_error(ScriptContext&, const std::string& error) = 0;
  virtual std::unique_ptr<HookCall<Nothing>> on_finally(ScriptContext&) = 0;
  virtual std::unique_ptr<HookCall<Nothing>> on_finished() = 0;
  // Calls a global function without arguments, for script tests.
  virtual std::unique_ptr<HookCall<Nothing>> function(const std::string& name) = 0;

  [[nodiscard]] virtual std::vector<std::string> global_functions(std::string_view prefix) = 0;
  [[nodiscard]] virtual std::size_t memory_bytes() const = 0;
  // Whether any file loaded so far does: then a script may read the page of every cycle.
  [[nodiscard]] virtual bool mentions_last_fetch() const = 0;
  // Whether any file loaded so far names a field `class`, as of after_fetch's result.
  [[nodiscard]] virtual bool mentions_page_class() const = 0;
  // The VM ran out of memory where Lua cannot recover: create a new one.
  [[nodiscard]] virtual bool is_broken() const = 0;
};

}  // namespace heddle::script

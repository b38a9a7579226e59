// All scripts of one job in one sandboxed Lua VM: which hooks they define, and calls of them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "html/parse.hpp"
#include "model/fetch.hpp"
#include "model/item.hpp"
#include "model/trace.hpp"
#include "script/call.hpp"
#include "script/hook.hpp"
#include "script/host.hpp"
#include "script/limits.hpp"

namespace heddle::script {

struct FetchResult {  // `result`, `ctx.last_fetch`
  FetchRequest request;
  std::optional<FetchResponse> response;  // for HTTP errors too
  std::optional<FetchError> error;        // none: ok
};

struct AfterFetch {                       // what after_fetch gave back
  std::optional<FetchResponse> response;  // after a success the one that was there with a new body
};

// override_fetch's own answer, or why there is none.
using OverrideFetch = std::variant<FetchResponse, FetchError>;

struct Nothing {};  // lifecycle hooks and files return nothing that matters

// What ctx tells about the cycle.
struct CycleFacts {
  std::string job_id;
  std::string job_name;
  std::vector<std::pair<std::string, std::string>> vars;
  std::string run_id;
  int worker_id = 1;
  int attempt = 1;
  double start_time = 0;  // Unix seconds
};

// `ctx` of one cycle. Destroyed after on_finally: what it held is wiped, and the globals last_fetch
// and selector_matches with it.
class Context {
 public:
  virtual ~Context() = default;

  virtual void set_last_fetch(const FetchResult& result) = 0;
  // The same for a page that few scripts look back at: `supply` is asked when the script does, as
  // long as the context lives, or at once when the script names last_fetch at all.
  virtual void offer_last_fetch(std::function<FetchResult()> supply) = 0;
  virtual void set_selector_matches(std::size_t count) = 0;
  virtual void set_not_modified(bool is_not_modified) = 0;
  // Read when the script looks at ctx.telemetry; outlives the context.
  virtual void set_trace(const CycleTrace& trace) = 0;
};

struct JobScriptSettings {
  Limits limits;
  html::Parser* parser = nullptr;  // for html.parse
  std::string version;             // engine.version
  std::string storage = "sqlite";  // engine.storage
  bool is_headless = true;         // engine.headless: no desktop to show anything on
  bool is_test = false;            // with the global `heddle` (and `spyweb`): assertions, run_cycle
};

// One thread. Calls may be under way at the same time as long as only one of them computes: all
// others wait for an answer.
class JobScript {
 public:
  static Result<std::unique_ptr<JobScript>> make(const JobScriptSettings& settings, Host& host);
  virtual ~JobScript() = default;

  // Runs a file. A file that does not compile fails when resumed, with file and line.
  [[nodiscard]] virtual std::unique_ptr<HookCall<Nothing>> load(Source source) = 0;
  // After the last file: looks up which hooks there are. Once, but for tests that replace some.
  virtual void find_hooks() = 0;
  [[nodiscard]] virtual bool has(Hook hook) const = 0;

  [[nodiscard]] virtual std::unique_ptr<Context> begin_cycle(const CycleFacts& facts) = 0;

  using Items = std::vector<Item>;
  // Arguments are copied into Lua when the call is made and never kept.
  virtual std::unique_ptr<HookCall<FetchRequest>> before_fetch(Context&, const FetchRequest&) = 0;
  virtual std::unique_ptr<HookCall<OverrideFetch>> override_fetch(Context&,
                                                                  const FetchRequest&) = 0;
  virtual std::unique_ptr<HookCall<AfterFetch>> after_fetch(Context&, const FetchResult&) = 0;
  virtual std::unique_ptr<HookCall<Items>> override_extract(Context&, const FetchResponse&) = 0;
  // after_extract, before_store and before_notify.
  virtual std::unique_ptr<HookCall<Items>> items_hook(Hook hook, Context&, const Items&) = 0;
  // filter_item for each in turn, each with its own budget and defers; gives the kept ones as the
  // hook returned them. A failing item is warned about and kept, unless a budget cut it.
  virtual std::unique_ptr<HookCall<Items>> filter_items(Context&, const Items&) = 0;
  virtual std::unique_ptr<HookCall<Value>> before_webhook(Context&, const Value& payload) = 0;
  virtual std::unique_ptr<HookCall<Nothing>> on_success(Context&) = 0;
  virtual std::unique_ptr<HookCall<Nothing>> on_error(Context&, const std::string& error) = 0;
  virtual std::unique_ptr<HookCall<Nothing>> on_finally(Context&) = 0;
  virtual std::unique_ptr<HookCall<Nothing>> on_finished() = 0;
  // A global function without arguments, for script tests.
  virtual std::unique_ptr<HookCall<Nothing>> function(const std::string& name) = 0;

  [[nodiscard]] virtual std::vector<std::string> global_functions(std::string_view prefix) = 0;
  [[nodiscard]] virtual std::size_t memory_bytes() const = 0;
  // Whether any text that was loaded so far does: then it may look at the page of every cycle.
  [[nodiscard]] virtual bool names_last_fetch() const = 0;
  // The VM ran out of memory in a place where Lua cannot go on: make a new one.
  [[nodiscard]] virtual bool is_broken() const = 0;
};

}  // namespace heddle::script

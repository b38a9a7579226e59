// LoadedScript owns the VM of a job's scripts, its host and the handler of its wants.
#pragma once

#include <memory>

#include "base/async.hpp"
#include "base/result.hpp"
#include "html/parse.hpp"
#include "pipeline/scripts/async_mutex.hpp"
#include "pipeline/scripts/script_files.hpp"
#include "pipeline/scripts/script_host.hpp"
#include "pipeline/scripts/want_handler.hpp"
#include "script/job_script.hpp"

namespace heddle::pipeline {

struct ScriptEnvironment {
  const Project& project;
  const Job& job;
  const Clock& clock;
  Log& log;
  html::Parser& parser;
  bool is_test = false;  // with the global `heddle`; written files go to the data folder
};

// One event loop. Replaced when the job changes; shared by the cycles of the job.
class LoadedScript {
 public:
  // Runs the job's files in order. What `environment` and `resources` refer to outlives the result.
  static Async<Result<std::unique_ptr<LoadedScript>>> load(const ScriptEnvironment& environment,
                                                           const ScriptResources& resources);
  ~LoadedScript();
  LoadedScript(const LoadedScript&) = delete;
  LoadedScript& operator=(const LoadedScript&) = delete;

  [[nodiscard]] bool has(script::ScriptHook hook) const { return vm_->has(hook); }
  [[nodiscard]] script::JobScript& vm() { return *vm_; }
  [[nodiscard]] WantHandler& want_handler() { return want_handler_; }
  [[nodiscard]] ScriptHost& host() { return host_; }

  // Whether any hook reads pages: then unchanged pages must be read as well.
  [[nodiscard]] bool reads_pages() const;

  template <class T>
  Async<script::HookResult<T>> run(std::unique_ptr<script::HookCall<T>> call) {
    co_await drive(*call);
    co_return call->take();
  }

  // Calls on_finished; after the last page of a run.
  Async<void> finish_run();

 private:
  LoadedScript(const ScriptEnvironment& environment, const ScriptResources& resources);
  Async<Status> load_file(script::ScriptSource source);
  Async<void> drive(script::ScriptCall& call);
  script::ResumeResult resume(script::ScriptCall& call);
  Async<void> yield_to_other_jobs(std::chrono::nanoseconds took);

  const LoopActivity& activity_;
  std::uint64_t mark_;  // identifies the job in shared memory
  const std::size_t& own_cycles_;
  std::chrono::nanoseconds& cpu_used_;
  std::chrono::milliseconds slice_;
  ScriptHost host_;
  WantHandler want_handler_;
  AsyncMutex vm_mutex_;
  std::unique_ptr<script::JobScript> vm_;
};

// The settings of the VM of a job's scripts.
script::JobScriptSettings script_settings(const Project& project, html::Parser& parser);

// Whether the configuration says what a page is read for. If not, override_extract may make items;
// without that hook the text of the page is watched.
bool has_extraction_rules(const Job& job);

// Reads the script files of a job, named by their path in the project.
Result<std::vector<script::ScriptSource>> read_scripts(const Project& project, const Job& job,
                                                       bool with_tests);

}  // namespace heddle::pipeline

// A job's scripts, loaded: their VM, what it sees of the world, and who answers what it wants.
#pragma once

#include <memory>

#include "base/async.hpp"
#include "base/result.hpp"
#include "html/parse.hpp"
#include "pipeline/scripts/answers.hpp"
#include "pipeline/scripts/script_files.hpp"
#include "pipeline/scripts/script_host.hpp"
#include "pipeline/scripts/turn.hpp"
#include "script/job_script.hpp"

namespace heddle::pipeline {

struct ScriptSetting {
  const Project& project;
  const Job& job;
  const Clock& clock;
  Log& log;
  html::Parser& parser;
  bool is_test = false;  // with `heddle`; files that it writes land in the data folder
};

// One event loop. Lives as long as its job stays as it is; cycles of the job share it.
class LoadedScript {
 public:
  // Runs the job's files, one after the other. What `setting` and `reach` refer to outlives it.
  static Async<Result<std::unique_ptr<LoadedScript>>> load(const ScriptSetting& setting,
                                                           const ScriptReach& reach);
  ~LoadedScript();
  LoadedScript(const LoadedScript&) = delete;
  LoadedScript& operator=(const LoadedScript&) = delete;

  [[nodiscard]] bool has(script::Hook hook) const { return vm_->has(hook); }
  [[nodiscard]] script::JobScript& vm() { return *vm_; }
  [[nodiscard]] Answers& answers() { return answers_; }
  [[nodiscard]] ScriptHost& host() { return host_; }

  // Whether any hook looks at the page itself: then every page must be read, changed or not.
  [[nodiscard]] bool reads_pages() const;

  template <class T>
  Async<script::HookEnd<T>> run(std::unique_ptr<script::HookCall<T>> call) {
    co_await drive(*call);
    co_return call->take();
  }

  // After the last page of a run.
  Async<void> finish_run();

 private:
  LoadedScript(const ScriptSetting& setting, const ScriptReach& reach);
  Async<Status> load_file(script::Source source);
  Async<void> drive(script::Call& call);
  script::Step resume(script::Call& call);
  Async<void> let_others_go(std::chrono::nanoseconds took);

  const LoopShare& share_;
  std::uint64_t mark_;  // of the job
  const std::size_t& own_cycles_;
  std::chrono::nanoseconds& computed_;
  std::chrono::milliseconds slice_;
  ScriptHost host_;
  Answers answers_;
  Turn turn_;
  std::unique_ptr<script::JobScript> vm_;
};

// Whether the configuration says what the items of a page are. If not, override_extract must.
bool has_extraction_rules(const Job& job);
// What is wrong, of the key `selector`, when neither does.
inline constexpr std::string_view kNoExtraction =
    "is missing, and no script of the job defines override_extract: give `selector` and `fields`, "
    "or that function";

// The files of a job as the VM gets them, named by their path in the project.
Result<std::vector<script::Source>> read_scripts(const Project& project, const Job& job,
                                                 bool with_tests);

}  // namespace heddle::pipeline

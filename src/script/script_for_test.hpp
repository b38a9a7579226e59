// Test support for scripts: a host that records its calls, and a driver that runs script calls to
// their end and answers their wants.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "script/job_script.hpp"

namespace heddle::script {

class RecordingHost final : public VmHost {
 public:
  void log(std::string_view line) override { lines.emplace_back(line); }
  void log_to_file(std::string_view line) override { kept.emplace_back(line); }
  void print(std::string_view line) override {
    if (before_print) before_print();
    lines.emplace_back(line);
  }
  void warn(std::string_view message) override { warnings.emplace_back(message); }
  std::optional<std::string> env(std::string_view key) override {
    if (key == "TOKEN") return "secret";
    return std::nullopt;
  }
  Result<ScriptSource> module(std::string_view name) override {
    const auto found = modules.find(std::string(name));
    if (found == modules.end())
      return Error{ErrorCode::not_found, "module \"" + std::string(name) + "\" was not found"};
    return ScriptSource{"jobs/shop/" + std::string(name) + ".lua", found->second};
  }

  std::function<void()> before_print;
  std::vector<std::string> lines;  // of log and print
  std::vector<std::string> kept;   // of log, for the file only
  std::vector<std::string> warnings;
  std::map<std::string, std::string> modules;
};

// One VM with one cycle. `answer` answers the wants of scripts.
class TestScript {
 public:
  using AnswerTo = std::function<Answer(const Want&)>;

  explicit TestScript(ScriptLimits limits = {}, bool is_test = false) {
    JobScriptSettings settings;
    settings.limits = limits;
    settings.is_test = is_test;
    settings.version = "1.2.3";
    settings.parser = &parser;
    auto made = JobScript::make(settings, host);
    if (!made) throw std::runtime_error(made.error().message);
    script = std::move(*made);
    context = script->begin_cycle(facts());
  }
  ~TestScript() { context.reset(); }
  TestScript(const TestScript&) = delete;
  TestScript& operator=(const TestScript&) = delete;

  static CycleFacts facts() {
    CycleFacts facts;
    facts.job_id = "shop";
    facts.job_name = "Shop";
    facts.vars = {{"city", "Bern"}};
    facts.run_id = "run-1";
    facts.worker_id = 2;
    facts.attempt = 3;
    facts.start_time = 1'700'000'000;
    return facts;
  }

  // Runs a chunk; returns its error message, or "".
  std::string run_text(const std::string& text) {
    return message_of(run(script->load({"hooks.lua", text})));
  }
  // The same, then looks up the hooks.
  std::string load(const std::string& text) {
    std::string message = run_text(text);
    script->find_hooks();
    return message;
  }
  // Runs a global function without arguments; returns its error message, or "".
  std::string call(const std::string& name) { return message_of(run(script->function(name))); }

  // Runs the call until it has finished.
  template <class T>
  HookResult<T> run(std::unique_ptr<HookCall<T>> call) {
    return run(*call);
  }
  template <class T>
  HookResult<T> run(HookCall<T>& call) {
    while (is_unfinished(call)) {
    }
    return call.take();
  }
  template <class T>
  static std::string message_of(const HookResult<T>& result) {
    return result.error ? result.error->message : "";
  }

  RecordingHost host;
  html::Parser parser;
  std::unique_ptr<JobScript> script;
  std::unique_ptr<ScriptContext> context;
  AnswerTo answer;
  int slices = 0;

 private:
  bool is_unfinished(ScriptCall& call) {
    switch (call.resume()) {
      case ResumeResult::finished:
        return false;
      case ResumeResult::slice_ended:
        ++slices;
        return true;
      case ResumeResult::wants:
        call.answer(answer ? answer(call.take_want()) : Answer(Raise{"no network in this test"}));
        return true;
    }
    return false;
  }
};

}  // namespace heddle::script

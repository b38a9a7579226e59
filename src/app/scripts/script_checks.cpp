#include "app/scripts/script_checks.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <set>

#include "base/files/file_jail.hpp"
#include "base/text.hpp"
#include "pipeline/scripts/loaded_script.hpp"
#include "script/job_script.hpp"
#include "script/syntax_check.hpp"

namespace heddle::app {

namespace {

namespace fs = std::filesystem;

// Lua without its comments. A "--" inside a text counts as a comment too: the rest of such a line
// is rarely code.
std::string without_comments(std::string_view text) {
  std::string code;
  while (!text.empty()) {
    const std::size_t comment = std::min(text.find("--"), text.size());
    code += text.substr(0, comment);
    text.remove_prefix(comment);
    const std::size_t length = text.starts_with("--[[") ? text.find("]]") : text.find('\n');
    text.remove_prefix(std::min(length, text.size()));
  }
  return code;
}

// Whether a script's text uses the word outside comments, other than for a local variable.
bool uses(const std::string& code, std::string_view word) {
  for (std::size_t at = code.find(word); at != std::string::npos; at = code.find(word, at + 1)) {
    const std::string_view before = trim(std::string_view(code).substr(0, at));
    if (!before.ends_with("local") && !before.ends_with("local function")) return true;
  }
  return false;
}

// Whether the scripts may define override_extract. A static guess: a file that requires others or
// uses the name passes, and loading the job decides.
bool may_extract(const std::vector<script::ScriptSource>& sources) {
  return std::any_of(sources.begin(), sources.end(), [](const script::ScriptSource& source) {
    const std::string code = without_comments(source.text);
    return uses(code, "override_extract") || uses(code, "require");
  });
}

// The names in require("a.b") and similar calls; names computed at run time are not found.
std::vector<std::string> required_names(std::string_view text) {
  constexpr std::string_view kWord = "require";
  std::vector<std::string> names;
  for (std::size_t at = text.find(kWord); at != std::string_view::npos; at = text.find(kWord, at)) {
    at += kWord.size();
    const std::size_t open = text.find_first_not_of(" \t(", at);
    if (open == std::string_view::npos) break;
    if (text[open] != '"' && text[open] != '\'') continue;
    const std::size_t close = text.find(text[open], open + 1);
    if (close == std::string_view::npos) continue;
    names.emplace_back(text.substr(open + 1, close - open - 1));
  }
  return names;
}

std::vector<fs::path> lua_files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (fs::recursive_directory_iterator at(folder, ignored), end; at != end;
       at.increment(ignored)) {
    const fs::path& file = at->path();
    if (file.filename().string().starts_with('.'))
      at.disable_recursion_pending();
    else if (file.extension() == ".lua" && at->is_regular_file(ignored))
      files.push_back(file);
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Checks all scripts of a job: its own files, those in its folder, and required modules of the
// project.
class SyntaxCheck {
 public:
  SyntaxCheck(const Project& project, const Job& job, std::vector<cli::ScriptProblem>& problems)
      : project_(project),
        job_(job),
        jail_({project.root, job.directory, project.root / "shared"}),
        problems_(problems) {}

  void check(const std::vector<script::ScriptSource>& sources) {
    for (const script::ScriptSource& source : sources) check_source(source);
    check_modules();
    // A module whose name is computed is not known; loading the script shows its mistakes.
    is_loaded_ = false;
    for (const fs::path& file : lua_files_below(job_.directory)) check_file(file);
  }

 private:
  void check_modules() {
    while (!waiting_.empty()) {
      const std::string name = std::move(waiting_.back());
      waiting_.pop_back();
      // A missing module may be optional; loading the script shows whether it is.
      if (auto module = jail_.read_module(name))
        check_source({module->name, std::move(module->text)});
    }
  }

  void check_file(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    script::ScriptSource source;
    source.name = file.lexically_relative(project_.root).generic_string();
    source.text.assign(std::istreambuf_iterator<char>(in), {});
    if (in) check_source(source);
  }

  void check_source(const script::ScriptSource& source) {
    if (!seen_.insert(source.name).second) return;
    if (auto mistake = script::check_syntax(source)) {
      if (!is_loaded_)
        mistake->message += "; no `require` of the job names this file: remove it, or mend it";
      problems_.push_back(
          {job_.id.text, source.name, mistake->line, {}, std::move(mistake->message), !is_loaded_});
    }
    for (std::string& name : required_names(source.text)) waiting_.push_back(std::move(name));
  }

  const Project& project_;
  const Job& job_;
  FileJail jail_;
  std::vector<cli::ScriptProblem>& problems_;
  std::set<std::string> seen_;
  std::vector<std::string> waiting_;  // module names
  bool is_loaded_ = true;             // what is checked now
};

// Gives a VM what a run gives it, but drops its output.
class LoadingHost final : public script::VmHost {
 public:
  LoadingHost(const Project& project, const Job& job)
      : jail_(pipeline::script_folders(project, job)) {}

  void log(std::string_view /*line*/) override {}
  void print(std::string_view /*line*/) override {}
  void warn(std::string_view /*message*/) override {}
  std::optional<std::string> env(std::string_view key) override {
    return pipeline::script_variable(key);
  }
  Result<script::ScriptSource> module(std::string_view name) override {
    auto found = jail_.read_module(name);
    if (!found) return std::move(found).error();
    return script::ScriptSource{std::move(found->name), std::move(found->text)};
  }

 private:
  FileJail jail_;
};

enum class Loading { done, failed, undecided };

// "jobs/shop/hooks.lua:3: attempt to …" and a traceback.
cli::ScriptProblem problem_of(const Job& job, const std::string& file, std::string_view text) {
  cli::ScriptProblem problem{job.id.text, file, 0, {}, {}};
  text = text.substr(0, text.find("\nstack traceback"));
  const std::size_t colon = text.find(':');
  if (colon != std::string_view::npos) {
    const char* end_of_text = text.data() + text.size();
    const auto [end, failed] = std::from_chars(text.data() + colon + 1, end_of_text, problem.line);
    if (failed == std::errc() && end != end_of_text && *end == ':') {
      problem.file = text.substr(0, colon);
      text = trim(text.substr(static_cast<std::size_t>(end - text.data()) + 1));
    }
  }
  problem.message = text;
  return problem;
}

// Runs the files of a job up to where one waits for something that only a run has, such as an
// answer or a stored value.
class TrialLoading {
 public:
  TrialLoading(const Project& project, const Job& job)
      : job_(job),
        host_(project, job),
        vm_(script::JobScript::make(pipeline::script_settings(project, parser_), host_)) {}

  Loading load(std::vector<script::ScriptSource> sources,
               std::vector<cli::ScriptProblem>& problems) {
    if (!vm_) return Loading::undecided;
    for (script::ScriptSource& source : sources) {
      const std::string file = source.name;
      auto call = (*vm_)->load(std::move(source));
      auto step = call->resume();
      while (step == script::ResumeResult::slice_ended) step = call->resume();
      if (step == script::ResumeResult::wants) return Loading::undecided;
      const auto end = call->take();
      if (!end.error) continue;
      problems.push_back(problem_of(job_, file, end.error->message));
      return Loading::failed;
    }
    (*vm_)->find_hooks();
    return Loading::done;
  }
  [[nodiscard]] bool has(script::ScriptHook hook) const { return (*vm_)->has(hook); }

 private:
  const Job& job_;
  LoadingHost host_;
  html::Parser parser_;
  Result<std::unique_ptr<script::JobScript>> vm_;
};

// Whether the scripts extract items. A static guess unless they were loaded.
bool extracts(const Project& project, const Job& job,
              const std::vector<script::ScriptSource>& sources,
              std::vector<cli::ScriptProblem>& problems) {
  auto loaded = pipeline::read_scripts(project, job, false);
  const auto errors = [&problems] {
    return std::ranges::count(problems, false, &cli::ScriptProblem::is_warning);
  };
  const auto before = errors();
  if (!sources.empty()) SyntaxCheck(project, job, problems).check(sources);
  if (errors() > before || !loaded || loaded->empty()) return may_extract(sources);
  TrialLoading trial(project, job);
  switch (trial.load(*std::move(loaded), problems)) {
    case Loading::done:
      return trial.has(script::ScriptHook::override_extract);
    case Loading::failed:
      return true;  // unknown, and reported
    case Loading::undecided:
      break;
  }
  return may_extract(sources);
}

void check_job(const Project& project, const Job& job, std::vector<cli::ScriptProblem>& problems) {
  const auto sources = pipeline::read_scripts(project, job, true);
  if (!sources) return problems.push_back({job.id.text, {}, 0, {}, sources.error().message});
  const bool has_extractor = extracts(project, job, *sources, problems);
  if (!pipeline::has_extraction_rules(job) && !has_extractor)
    problems.push_back({.job = job.id.text,
                        .file = {},
                        .key = "selector",
                        .message = "is missing, and no script of the job defines override_extract: "
                                   "the text of the page is watched, as with watch = \"text\"",
                        .is_warning = true});
}

}  // namespace

std::vector<cli::ScriptProblem> check_scripts(const Project& project) {
  std::vector<cli::ScriptProblem> problems;
  for (const Job& job : project.jobs) check_job(project, job, problems);
  return problems;
}

}  // namespace heddle::app

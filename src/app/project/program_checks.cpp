#include "app/project/program_checks.hpp"

#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

#include "base/secrets/secret_mask.hpp"
#include "base/shell_word.hpp"

namespace heddle::app {

namespace {

namespace fs = std::filesystem;

// The program of a line, if it is known without a shell: it has a path, and no character that a
// shell would replace.
std::string program_of(const ProgramLine& line) {
  if (!line.args.empty()) return line.args.front();
  const std::string_view text = line.command;
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  const std::string_view word = text.substr(begin, text.find_first_of(" \t\n;&|<>", begin) - begin);
  const bool is_plain = word.find_first_of("$`'\"\\*?[]{}()~=#!") == std::string_view::npos;
  return is_plain && word.find('/') != std::string_view::npos ? std::string(word) : std::string();
}

// Why the program at this path would not start; nullopt: it would.
std::optional<std::string> problem_of_file(const std::string& program, const fs::path& folder) {
  const fs::path file = folder / program;  // an absolute path stays as it is
  std::error_code unreadable;
  if (!fs::exists(file, unreadable))
    return fmt::format("there is no program '{}' in {}", program, folder.string());
  if (fs::is_directory(file, unreadable)) return fmt::format("'{}' is a folder", program);
  if (access(file.c_str(), X_OK) != 0)
    return fmt::format("'{}' is not executable: chmod +x {}", program, shell_word(file.string()));
  return std::nullopt;
}

std::optional<std::string> problem_of(const Job& job, const HookRule* hook,
                                      const commands::Variables& daemon_environment) {
  const auto environment = commands::process_environment_of(job.program, hook, daemon_environment);
  std::error_code unreadable;
  if (!fs::is_directory(environment.folder, unreadable))
    return fmt::format("the working folder {} does not exist", environment.folder.string());
  const ProgramLine& line = hook != nullptr ? hook->program : job.program.line;
  const std::string program = program_of(line);
  if (program.find('/') != std::string::npos) return problem_of_file(program, environment.folder);
  if (line.args.empty()) return std::nullopt;
  const auto found = commands::arguments_of(line, environment.variables);
  return found ? std::nullopt : std::optional(found.error().message);
}

// Checks the programs of one job.
class ProgramCheck {
 public:
  ProgramCheck(const Job& job, const commands::Variables& daemon_environment,
               std::vector<cli::ScriptProblem>& problems)
      : job_(job),
        secrets_(job.secrets),
        daemon_environment_(daemon_environment),
        problems_(problems) {}

  void check() {
    for (const HookRule& hook : job_.hooks)
      if (hook.phase == HookPhase::pre_start) check_hook(hook);
    if (job_.kind != JobKind::web)
      report(job_.program.line.args.empty() ? "command" : "args", "",
             problem_of(job_, nullptr, daemon_environment_));
    for (const HookRule& hook : job_.hooks)
      if (hook.phase != HookPhase::pre_start) check_hook(hook);
  }

 private:
  void check_hook(const HookRule& hook) {
    report(fmt::format("hooks.{}", to_text(hook.phase)), fmt::format("hook '{}': ", hook.name),
           problem_of(job_, &hook, daemon_environment_));
    has_hook_before_ |= hook.phase == HookPhase::pre_start;
  }

  void report(std::string key, const std::string& where, std::optional<std::string> problem) {
    if (!problem) return;
    secrets_.apply(*problem);  // a program may be named by one
    cli::ScriptProblem found{job_.id.text, {}, 0, std::move(key), where + *std::move(problem)};
    found.is_warning = has_hook_before_;
    if (has_hook_before_) found.message += "; this is fine if a pre_start hook creates it";
    problems_.push_back(std::move(found));
  }

  const Job& job_;
  SecretMask secrets_;
  const commands::Variables& daemon_environment_;
  std::vector<cli::ScriptProblem>& problems_;
  bool has_hook_before_ = false;
};

}  // namespace

std::vector<cli::ScriptProblem> check_programs(const Project& project,
                                               const commands::Variables& daemon_environment) {
  std::vector<cli::ScriptProblem> problems;
  for (const Job& job : project.jobs) ProgramCheck(job, daemon_environment, problems).check();
  return problems;
}

}  // namespace heddle::app

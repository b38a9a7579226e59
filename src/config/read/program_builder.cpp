#include "config/read/program_builder.hpp"

#include <map>

#include <fmt/format.h>

#include "config/read/files/read_file.hpp"
#include "config/read/program_texts.hpp"
#include "config/read/values/scalar.hpp"
#include "config/read/values/toml_value.hpp"

namespace heddle::config {

namespace {

constexpr std::size_t kMaxEnvironmentFile = 1 << 20;

constexpr std::string_view kCommandOnly[] = {"parallelism", "completions", "completion_mode",
                                             "backoff_limit", "deadline"};
constexpr std::string_view kServiceOnly[] = {"max_restarts", "restart_window", "ready_after",
                                             "ready_check"};
constexpr std::string_view kProgramOnly[] = {"command", "args", "restart", "stop_signal"};
constexpr std::string_view kPageOnly[] = {"url",      "urls",   "urls_file",
                                          "selector", "fields", "workers"};

}  // namespace

void ProgramBuilder::build() {
  job_.program.home = base_dir_;
  if (job_.kind != JobKind::web) {
    check_line();
    check_restart();
  }
  if (job_.kind == JobKind::service) check_service();
  check_environment();
  check_hooks();
  warn_of_foreign_keys();
}

void ProgramBuilder::check_line() {
  const Setting* command = find("command");
  const Setting* args = find("args");
  for (const Setting* each : {command, args})
    if (each != nullptr && has_errors(each->problems)) return;
  auto status = check_program(job_.program.line, {command != nullptr, args != nullptr});
  if (status) return;
  if (const Setting* at = args != nullptr ? args : command)
    return report_problem(*at, std::move(status).error().message);
  loaded_.problems.push_back(
      {loaded_.origin.file, loaded_.origin.line, "command", std::move(status).error().message});
}

void ProgramBuilder::check_restart() {
  const Setting* restart = find("restart");
  const RestartRule rule = job_.program.restart;
  if (job_.kind == JobKind::service) {
    if (restart == nullptr)
      job_.program.restart = RestartRule::always;
    else if (rule == RestartRule::never)
      report_problem(*restart,
                     "a service is kept running: \"always\" (the default) or \"on_failure\"");
  } else if (rule == RestartRule::always) {
    report_problem(*restart,
                   "a command ends: \"never\" or \"on_failure\"; kind = \"service\" keeps running");
  }
}

void ProgramBuilder::check_service() {
  if (const Setting* ready = find("ready_check"); ready != nullptr && !has_errors(ready->problems))
    if (auto status = check_ready_address(job_.program.ready_check); !status)
      report_problem(*ready, std::move(status).error().message);
  for (const std::string_view when : {"interval", "schedule", "after"})
    if (const Setting* setting = find(when);
        setting != nullptr && setting->origin.file == loaded_.origin.file)
      report_problem(*setting, "a service has no schedule: it runs as long as the daemon does");
}

void ProgramBuilder::check_environment() {
  for (const auto& [path, setting] : loaded_.settings) {
    const auto* entry = std::get_if<NamedText>(&setting.value);
    if (entry == nullptr || !path.starts_with("env.")) continue;
    if (auto status = check_environment_entry(entry->first, entry->second); !status)
      report_problem(setting, std::move(status).error().message);
  }
  if (const Setting* pass = find("env_pass"))
    for (const std::string& name : job_.program.env_pass)
      if (auto status = check_environment_entry(name, {}); !status)
        report_problem(*pass, fmt::format("{}: {}", in_quotes(name), status.error().message));
  if (const Setting* file = find("env_file"); file != nullptr && !has_errors(file->problems))
    read_environment_file(*file);
}

void ProgramBuilder::read_environment_file(const Setting& file) {
  const auto* name = std::get_if<std::string>(&file.value);
  if (name == nullptr) return;
  const std::filesystem::path path = (base_dir_ / *name).lexically_normal();
  const auto text = read_file(path, kMaxEnvironmentFile);
  if (!text)
    return report_problem(file, fmt::format("{} {}", in_quotes(*name), text.error().message));
  EnvironmentFile parsed = parse_environment_file(*text);
  const std::filesystem::path relative = path.lexically_relative(root_);
  const std::string shown = relative.empty() ? path.string() : relative.generic_string();
  for (EnvironmentFile::Mistake& each : parsed.mistakes)
    loaded_.problems.push_back({shown, each.line, {}, std::move(each.message)});
  job_.program.file_env = std::move(parsed.entries);
}

void ProgramBuilder::check_hooks() {
  std::map<std::string_view, HookPhase> known;
  for (const HookRule& hook : job_.hooks) {
    const auto [first, is_new] = known.emplace(hook.name, hook.phase);
    if (is_new || hook.name.empty()) continue;
    const Setting* at = find(fmt::format("hooks.{}", to_text(hook.phase)));
    if (at != nullptr)
      report_problem(
          *at, fmt::format("there are two hooks {} (the other is a {} hook): every hook needs "
                           "a name of its own",
                           in_quotes(hook.name), to_text(first->second)));
  }
}

// Only for keys in the job's own file: a layer may set keys for jobs of other kinds.
void ProgramBuilder::warn_of_foreign_keys() {
  const auto warn = [this](const auto& keys, std::string_view kinds) {
    for (const std::string_view key : keys) {
      const Setting* setting = find(key);
      if (setting == nullptr || setting->origin.file != loaded_.origin.file) continue;
      if (setting->value == preset_of(*setting->key)) continue;  // the default: no effect
      report_problem(*setting, fmt::format("has no effect here: it is a key of {}", kinds),
                     ProblemSeverity::warning);
    }
  };
  if (job_.kind != JobKind::command) warn(kCommandOnly, "jobs with kind = \"command\"");
  if (job_.kind != JobKind::service) warn(kServiceOnly, "jobs with kind = \"service\"");
  if (job_.kind == JobKind::web)
    warn(kProgramOnly, "jobs with kind = \"command\" or \"service\"");
  else
    warn(kPageOnly, "web jobs");
}

const Setting* ProgramBuilder::find(std::string_view path) const {
  const auto found = loaded_.settings.find(path);
  return found == loaded_.settings.end() ? nullptr : &found->second;
}

void ProgramBuilder::report_problem(const Setting& at, std::string message,
                                    ProblemSeverity severity) {
  loaded_.problems.push_back(
      {at.origin.file, at.origin.line, at.label, std::move(message), severity});
}

}  // namespace heddle::config

#include "commands/process_environment.hpp"

#include <array>

#include "process/find_program.hpp"

namespace heddle::commands {

namespace {

constexpr std::array<std::string_view, 4> kPassedThrough{"PATH", "HOME", "LANG", "TZ"};
constexpr std::string_view kDefaultPath = "/usr/local/bin:/usr/bin:/bin";

// Returns the name of a "${NAME}" at the start of the text, or empty.
std::string_view name_at(std::string_view text) {
  if (!text.starts_with("${")) return {};
  const std::size_t end = text.find('}');
  if (end == std::string_view::npos) return {};
  const std::string_view name = text.substr(2, end - 2);
  return is_environment_name(name) ? name : std::string_view();
}

void pass_through(const Variables& daemon_environment, std::string_view name, Variables& out) {
  const auto found = daemon_environment.find(std::string(name));
  if (found != daemon_environment.end() && !is_reserved_variable(name)) out.insert(*found);
}

void add_expanded(const Variables& entries, Variables& out) {
  const Variables before = out;
  for (const auto& [name, value] : entries)
    out.insert_or_assign(name, expand_variables(value, before));
}

}  // namespace

std::string expand_variables(std::string_view text, const Variables& variables) {
  std::string out;
  while (!text.empty()) {
    const std::size_t dollar = std::min(text.find('$'), text.size());
    out += text.substr(0, dollar);
    text.remove_prefix(dollar);
    if (text.empty()) break;
    if (const auto name = name_at(text); !name.empty()) {
      const auto found = variables.find(std::string(name));
      if (found != variables.end()) out += found->second;
      text.remove_prefix(name.size() + 3);
    } else if (const auto meant = name_at(text.substr(1)); !meant.empty()) {
      out += text.substr(1, meant.size() + 3);
      text.remove_prefix(meant.size() + 4);
    } else {
      out += '$';
      text.remove_prefix(1);
    }
  }
  return out;
}

ProcessEnvironment process_environment_of(const ProgramRule& rule, const HookRule* hook,
                                          const Variables& daemon_environment) {
  ProcessEnvironment out;
  out.variables.emplace("PATH", kDefaultPath);
  if (const auto path = daemon_environment.find("PATH"); path != daemon_environment.end())
    out.variables.erase("PATH");
  for (const std::string_view name : kPassedThrough)
    pass_through(daemon_environment, name, out.variables);
  for (const std::string& name : rule.env_pass)
    pass_through(daemon_environment, name, out.variables);
  for (const auto& [name, value] : rule.file_env)
    out.variables.insert_or_assign(name, expand_variables(value, out.variables));
  add_expanded(rule.env, out.variables);
  if (hook != nullptr) add_expanded(hook->env, out.variables);
  const bool has_own_folder = hook != nullptr && !hook->work_dir.empty();
  const std::string& folder = has_own_folder ? hook->work_dir : rule.work_dir;
  out.folder = rule.home / expand_variables(folder, out.variables);
  return out;
}

Result<std::vector<std::string>> arguments_of(const ProgramLine& line, const Variables& variables) {
  if (line.args.empty()) return std::vector<std::string>{"/bin/sh", "-c", line.command};
  std::vector<std::string> argv = line.args;
  if (argv.front().find('/') != std::string::npos) return argv;
  const auto path = variables.find("PATH");
  const auto found =
      process::find_program(argv.front(), path == variables.end() ? kDefaultPath : path->second);
  if (!found) return Error{ErrorCode::not_found, argv.front() + ": not found in PATH"};
  argv.front() = found->string();
  return argv;
}

std::vector<std::string> to_environment(const Variables& variables) {
  std::vector<std::string> out;
  for (const auto& [name, value] : variables) out.push_back(name + "=" + value);
  return out;
}

}  // namespace heddle::commands

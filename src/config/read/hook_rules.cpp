#include "config/read/hook_rules.hpp"

#include <set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "config/read/program_texts.hpp"
#include "config/read/values/scalar.hpp"

namespace heddle::config {

namespace {

using std::chrono::milliseconds;

// Reads one hook.
class HookReader {
 public:
  HookReader(const Key& phase, const Environment& environment) : environment_(environment) {
    rule_.phase = hook_phase_from(phase.name).value_or(HookPhase::pre_start);
  }

  HookRule read(const TomlValue& table) {
    line_ = table.line;
    const Section& section = section_named("hook");
    for (const TomlEntry& entry : *table.table()) {
      const Key* key = find_key(section, entry.name);
      if (key == nullptr)
        report_problem(entry.value.line, "." + entry.name, unknown_key(section, entry.name));
      else
        read_entry(*key, entry);
    }
    if (value_problems.empty()) check(table);
    return std::move(rule_);
  }

  ValueProblems value_problems;

 private:
  void read_entry(const Key& key, const TomlEntry& entry) {
    if (key.type == KeyType::text_map) return read_environment(key, entry);
    ReadValue read = read_value(key, entry.value, environment_);
    const bool is_good = read.value_problems.empty();
    for (ValueProblem& each : read.value_problems) {
      each.below = "." + entry.name + each.below;
      value_problems.push_back(std::move(each));
    }
    if (is_good) set_value(key.name, read.value);
  }

  void read_environment(const Key& key, const TomlEntry& entry) {
    if (entry.value.table() == nullptr)
      return report_problem(entry.value.line, "." + entry.name, mismatch(key, entry.value));
    for (const TomlEntry& variable : *entry.value.table()) {
      const std::string below = fmt::format(".{}.{}", entry.name, variable.name);
      ReadValue read = read_map_entry(key, variable);
      if (!read.value_problems.empty())
        return report_problem(variable.value.line, below, read.value_problems.front().message);
      auto& [name, text] = std::get<NamedText>(read.value);
      if (auto status = check_environment_entry(name, text); !status)
        return report_problem(variable.value.line, below, status.error().message);
      rule_.env.insert_or_assign(std::move(name), std::move(text));
    }
  }

  void set_value(std::string_view name, const Typed& value) {
    if (const auto* text = std::get_if<std::string>(&value)) set_text(name, *text);
    if (const auto* texts = std::get_if<std::vector<std::string>>(&value))
      rule_.program.args = *texts;
    if (const auto* count = std::get_if<std::int64_t>(&value))
      rule_.retries = static_cast<int>(*count);
    if (const auto* flag = std::get_if<bool>(&value)) rule_.always = *flag;
    if (const auto* time = std::get_if<milliseconds>(&value))
      (name == "timeout" ? rule_.timeout : rule_.retry_delay) = *time;
  }

  void set_text(std::string_view name, const std::string& text) {
    if (name == "name") rule_.name = trim(text);
    if (name == "command") rule_.program.command = text;
    if (name == "work_dir") rule_.work_dir = text;
    if (name == "failure") rule_.failure = hook_failure_from(text).value_or(rule_.failure);
    if (name == "mode") rule_.mode = hook_mode_from(text).value_or(rule_.mode);
  }

  void check(const TomlValue& table) {
    if (rule_.name.empty())
      report_problem(line_, ".name", "is missing: every hook needs a name of its own");
    else if (!is_plain_line(rule_.name))
      report_problem(line_, ".name",
                     "must be one line without control characters, at most 100 bytes");
    const ProgramKeys given{find_entry(*table.table(), "command") != nullptr,
                            find_entry(*table.table(), "args") != nullptr};
    if (auto status = check_program(rule_.program, given); !status)
      report_problem(line_, given.has_args ? ".args" : ".command", status.error().message);
    if (rule_.always && rule_.phase != HookPhase::post_stop)
      report_problem(line_, ".always", "is allowed only in [[hooks.post_stop]]");
  }

  void report_problem(int line, std::string below, std::string message) {
    value_problems.push_back({line, std::move(below), std::move(message)});
  }

  const Environment& environment_;
  HookRule rule_;
  int line_ = 0;
};

}  // namespace

ReadValue read_hooks(const Key& key, const TomlValue& value, const Environment& environment) {
  ReadValue out;
  if (value.list() == nullptr) {
    out.value_problems.push_back({value.line, {}, mismatch(key, value)});
    return out;
  }
  std::vector<HookRule> rules;
  for (const TomlValue& element : *value.list()) {
    if (element.table() == nullptr) {
      out.value_problems.push_back(
          {element.line,
           {},
           fmt::format("found {} in the list, expected a table", to_toml(element))});
      continue;
    }
    HookReader reader(key, environment);
    rules.push_back(reader.read(element));
    for (ValueProblem& each : reader.value_problems) out.value_problems.push_back(std::move(each));
  }
  out.value = std::move(rules);
  return out;
}

}  // namespace heddle::config

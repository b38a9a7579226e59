#include "config/read/hook_rules.hpp"

#include <set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "config/read/program_texts.hpp"
#include "config/read/scalar.hpp"

namespace heddle::config {

namespace {

using std::chrono::milliseconds;

// One hook while it is read.
class HookReader {
 public:
  HookReader(const Key& phase, const Environment& environment) : environment_(environment) {
    rule_.phase = hook_phase_from(phase.name).value_or(HookPhase::pre_start);
  }

  HookRule read(const Value& table) {
    line_ = table.line;
    const Section& section = section_named("hook");
    for (const Entry& entry : *table.table()) {
      const Key* key = find_key(section, entry.name);
      if (key == nullptr)
        complain(entry.value.line, "." + entry.name, unknown_key(section, entry.name));
      else
        read_entry(*key, entry);
    }
    if (complaints.empty()) check(table);
    return std::move(rule_);
  }

  Complaints complaints;

 private:
  void read_entry(const Key& key, const Entry& entry) {
    if (key.type == KeyType::text_map) return read_environment(key, entry);
    ReadValue read = read_value(key, entry.value, environment_);
    const bool is_good = read.complaints.empty();
    for (Complaint& each : read.complaints) {
      each.below = "." + entry.name + each.below;
      complaints.push_back(std::move(each));
    }
    if (is_good) take(key.name, read.value);
  }

  void read_environment(const Key& key, const Entry& entry) {
    if (entry.value.table() == nullptr)
      return complain(entry.value.line, "." + entry.name, mismatch(key, entry.value));
    for (const Entry& variable : *entry.value.table()) {
      const std::string below = fmt::format(".{}.{}", entry.name, variable.name);
      ReadValue read = read_map_entry(key, variable);
      if (!read.complaints.empty())
        return complain(variable.value.line, below, read.complaints.front().message);
      auto& [name, text] = std::get<NamedText>(read.value);
      if (auto status = check_environment_entry(name, text); !status)
        return complain(variable.value.line, below, status.error().message);
      rule_.env.insert_or_assign(std::move(name), std::move(text));
    }
  }

  void take(std::string_view name, const Typed& value) {
    if (const auto* text = std::get_if<std::string>(&value)) take_text(name, *text);
    if (const auto* texts = std::get_if<std::vector<std::string>>(&value))
      rule_.program.args = *texts;
    if (const auto* count = std::get_if<std::int64_t>(&value))
      rule_.retries = static_cast<int>(*count);
    if (const auto* flag = std::get_if<bool>(&value)) rule_.always = *flag;
    if (const auto* time = std::get_if<milliseconds>(&value))
      (name == "timeout" ? rule_.timeout : rule_.retry_delay) = *time;
  }

  void take_text(std::string_view name, const std::string& text) {
    if (name == "name") rule_.name = trim(text);
    if (name == "command") rule_.program.command = text;
    if (name == "work_dir") rule_.work_dir = text;
    if (name == "failure") rule_.failure = hook_failure_from(text).value_or(rule_.failure);
    if (name == "mode") rule_.mode = hook_mode_from(text).value_or(rule_.mode);
  }

  void check(const Value& table) {
    if (rule_.name.empty())
      complain(line_, ".name", "is missing: every hook needs a name of its own");
    else if (!is_plain_line(rule_.name))
      complain(line_, ".name", "must be one line without control characters, at most 100 bytes");
    const GivenProgram given{find_entry(*table.table(), "command") != nullptr,
                             find_entry(*table.table(), "args") != nullptr};
    if (auto status = check_program(rule_.program, given); !status)
      complain(line_, given.has_args ? ".args" : ".command", status.error().message);
    if (rule_.always && rule_.phase != HookPhase::post_stop)
      complain(line_, ".always", "only [[hooks.post_stop]] can have it");
  }

  void complain(int line, std::string below, std::string message) {
    complaints.push_back({line, std::move(below), std::move(message)});
  }

  const Environment& environment_;
  HookRule rule_;
  int line_ = 0;
};

}  // namespace

ReadValue read_hooks(const Key& key, const Value& value, const Environment& environment) {
  ReadValue out;
  if (value.list() == nullptr) {
    out.complaints.push_back({value.line, {}, mismatch(key, value)});
    return out;
  }
  std::vector<HookRule> rules;
  for (const Value& element : *value.list()) {
    if (element.table() == nullptr) {
      out.complaints.push_back(
          {element.line,
           {},
           fmt::format("found {} in the list, expected a table", to_toml(element))});
      continue;
    }
    HookReader reader(key, environment);
    rules.push_back(reader.read(element));
    for (Complaint& each : reader.complaints) out.complaints.push_back(std::move(each));
  }
  out.value = std::move(rules);
  return out;
}

}  // namespace heddle::config

#include "config/read/layer_reader.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "base/text.hpp"
#include "config/read/values/scalar.hpp"
#include "config/read/values/secret_values.hpp"

namespace heddle::config {

namespace {

constexpr std::string_view kNoEffect = "not available yet, has no effect";

constexpr std::size_t kLongestName = 100;

// A very long key must not fill the screen.
std::string short_name(const std::string& name) {
  if (name.size() <= kLongestName) return name;
  return std::string(utf8_prefix(name, kLongestName)) + "…";
}

bool is_map(KeyType type) {
  return type == KeyType::text_map || type == KeyType::header_map;
}

void report_problem(Setting& setting, ValueProblem problem) {
  setting.problems.push_back({setting.origin.file, problem.line, setting.label + problem.below,
                              std::move(problem.message), problem.severity});
}

// The written value equals the default, so a notice would only be noise.
bool is_preset(const Setting& setting) {
  if (std::holds_alternative<std::monostate>(setting.value)) return setting.effective == "\"off\"";
  return setting.value == preset_of(*setting.key);
}

// Maps are stored by entry; header names are case-insensitive.
std::string entry_path(const Key& key, const std::string& name) {
  return key.type == KeyType::header_map ? to_lower_ascii(name) : name;
}

// A copy with each text replaced.
TomlValue with_texts(const TomlValue& value,
                     const std::function<TomlValue(const TomlValue& text)>& replaced) {
  if (value.text() != nullptr) return replaced(value);
  if (const TomlList* list = value.list()) {
    TomlList out;
    for (const TomlValue& element : *list) out.push_back(with_texts(element, replaced));
    return {std::move(out), value.line};
  }
  if (const TomlTable* table = value.table()) {
    TomlTable out;
    for (const TomlEntry& entry : *table)
      out.push_back({entry.name, with_texts(entry.value, replaced)});
    return {std::move(out), value.line};
  }
  return value;
}

std::shared_ptr<const SettingSecrets> secrets_of(const TomlValue& value, const Vars* vars,
                                                 std::vector<Secret> used) {
  auto secrets = std::make_shared<SettingSecrets>();
  const TomlValue unresolved = with_texts(value, [&](const TomlValue& text) -> TomlValue {
    secrets->texts.push_back(Substitutor::unresolved(*text.text(), vars));
    return {secrets->texts.back(), text.line, true};
  });
  secrets->unresolved = to_toml(unresolved);
  secrets->used = std::move(used);
  return secrets;
}

// What "name:css" says before its colon; the colon of "${env:X}" belongs to the reference.
std::string_view name_of_field(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && text[at] != ':')
    at += std::max<std::size_t>(1, reference_length(text.substr(at)));
  return text.substr(0, at);
}

bool is_name(const Key& key) {
  constexpr std::string_view kNames[] = {"name", "id", "tags", "group"};
  return (key.type == KeyType::text || key.type == KeyType::text_list) &&
         std::find(std::begin(kNames), std::end(kNames), key.name) != std::end(kNames);
}

// Names are stored and shown as they are: a secret in one would be, too.
bool has_secret_in_name(const Key& key, const TomlValue& value, const Vars* vars) {
  if (const std::string* text = value.text()) {
    const std::string unresolved = Substitutor::unresolved(*text, vars);
    if (key.type == KeyType::field_list) return has_reference(name_of_field(unresolved));
    return is_name(key) && has_reference(unresolved);
  }
  if (const TomlList* list = value.list())
    return std::any_of(list->begin(), list->end(), [&](const TomlValue& element) {
      return has_secret_in_name(key, element, vars);
    });
  const TomlTable* table = value.table();
  const TomlValue* name = table == nullptr ? nullptr : find_entry(*table, "name");
  const bool has_names = key.type == KeyType::field_list || key.allowed == "hook";
  return has_names && name != nullptr && name->text() != nullptr &&
         has_reference(Substitutor::unresolved(*name->text(), vars));
}

// "${HOME}", which looks like a reference but is none; empty: there is none. "$${" is meant so.
std::string_view shell_variable_in(std::string_view text) {
  for (auto at = text.find("${"); at != std::string_view::npos; at = text.find("${", at + 1)) {
    const std::size_t end = text.find('}', at);
    if (end == std::string_view::npos) break;
    const bool is_escaped = at > 0 && text[at - 1] == '$';
    if (!is_escaped && is_variable_name(text.substr(at + 2, end - at - 2)))
      return text.substr(at, end + 1 - at);
  }
  return {};
}

// Shells and templates have such variables of their own.
bool has_only_our_variables(const Key& key) {
  constexpr std::string_view kNames[] = {"vars", "body", "secret", "token", "password"};
  return key.type == KeyType::url || key.type == KeyType::url_list ||
         key.type == KeyType::proxy_list || key.type == KeyType::header_map ||
         std::find(std::begin(kNames), std::end(kNames), key.name) != std::end(kNames);
}

// What a slip leaves in the value as it is; empty: nothing does.
std::string unfilled_mark(const Key& key, const TomlValue& value) {
  if (const TomlList* list = value.list())
    for (const TomlValue& element : *list)
      if (std::string mark = unfilled_mark(key, element); !mark.empty()) return mark;
  const std::string* text = value.text();
  if (text == nullptr || !has_only_our_variables(key)) return {};
  if (const std::string_view variable = shell_variable_in(*text); !variable.empty())
    return fmt::format(
        "{} stands in the value as it is: write ${{env:{}}} for the variable of the "
        "environment",
        variable, variable.substr(2, variable.size() - 3));
  if (key.name == "vars" && has_variables(value))
    return "a {{…}} stands in the value as it is: variables are not filled in inside `vars`; write "
           "the whole value";
  return {};
}

constexpr const char* kSecretInName =
    "a name must not have ${…}: it is stored and shown as it is, with the secret; write the name "
    "itself, or use `vars` for a value that is no secret";

}  // namespace

Settings LayerReader::read(const TomlTable& table, const Section& section, const Source& source) {
  Settings out;
  read_section(table, section, Scope{source, {}, false}, out);
  return out;
}

void LayerReader::read_section(const TomlTable& table, const Section& section, const Scope& scope,
                               Settings& out) {
  for (const TomlEntry& entry : table) {
    const Key* key = find_key(section, entry.name);
    if (key != nullptr) {
      read_entry(entry, *key, scope, out);
      continue;
    }
    Setting unknown = make_setting(entry, nullptr, scope);
    report_problem(unknown, {entry.value.line, {}, unknown_key(section, entry.name)});
    out.insert_or_assign(scope.path + entry.name, std::move(unknown));
  }
}

void LayerReader::read_entry(const TomlEntry& entry, const Key& key, const Scope& scope,
                             Settings& out) {
  const bool is_nested =
      key.type == KeyType::table || key.type == KeyType::table_map || is_map(key.type);
  if (!is_nested) {
    out.insert_or_assign(scope.path + entry.name, read_setting(entry, key, scope));
  } else if (entry.value.table() == nullptr) {
    Setting wrong = make_setting(entry, &key, scope);
    report_problem(wrong, {entry.value.line, {}, mismatch(key, entry.value)});
    out.insert_or_assign(scope.path + entry.name, std::move(wrong));
  } else {
    read_below(entry, key, scope, out);
  }
}

void LayerReader::read_below(const TomlEntry& entry, const Key& key, const Scope& scope,
                             Settings& out) {
  const bool is_later = key.availability == Availability::later;
  const Scope below{scope.source, scope.path + entry.name + ".", scope.is_later || is_later};
  Settings inner;
  if (is_map(key.type)) {
    read_map(entry, key, below, inner);
  } else if (key.type == KeyType::table) {
    read_section(*entry.value.table(), section_named(key.allowed), below, inner);
  } else {
    read_named_tables(entry, key, below, inner);
  }
  const auto affected = std::find_if(inner.begin(), inner.end(), [](const auto& each) {
    return each.second.key != nullptr && !is_preset(each.second);
  });
  if (is_later && !scope.is_later && affected != inner.end())
    affected->second.problems.push_back({scope.source.file, entry.value.line,
                                         scope.source.label + scope.path + entry.name,
                                         std::string(kNoEffect), ProblemSeverity::notice});
  out.merge(inner);
}

void LayerReader::read_named_tables(const TomlEntry& entry, const Key& key, const Scope& scope,
                                    Settings& out) {
  for (const TomlEntry& named : *entry.value.table()) {
    if (named.value.table() != nullptr) {
      const Scope below{scope.source, scope.path + named.name + ".", scope.is_later};
      read_section(*named.value.table(), section_named(key.allowed), below, out);
      continue;
    }
    Setting wrong = make_setting(named, &key, scope);
    report_problem(
        wrong,
        {named.value.line, {}, fmt::format("found {}, expected a table", to_toml(named.value))});
    out.insert_or_assign(scope.path + named.name, std::move(wrong));
  }
}

void LayerReader::read_map(const TomlEntry& entry, const Key& key, const Scope& scope,
                           Settings& out) {
  for (const TomlEntry& named : *entry.value.table()) {
    const std::string path = scope.path + entry_path(key, named.name);
    if (out.contains(path)) {
      Setting& twice = out.at(path);
      report_problem(twice, {named.value.line, {}, "the same header is given twice"});
      continue;
    }
    out.insert_or_assign(path, read_setting(named, key, scope));
  }
}

Setting LayerReader::make_setting(const TomlEntry& entry, const Key* key, const Scope& scope) {
  Setting setting;
  setting.key = key;
  setting.label = scope.source.label + scope.path + short_name(entry.name);
  setting.written = to_toml(entry.value);
  setting.effective = setting.written;
  setting.origin = {scope.source.file, entry.value.line};
  setting.available = key != nullptr && key->availability == Availability::now && !scope.is_later;
  return setting;
}

Setting LayerReader::read_setting(const TomlEntry& entry, const Key& key, const Scope& scope) {
  Setting setting = make_setting(entry, &key, scope);
  // The text of a variable is not substituted, so that substitution always ends.
  const bool may_wait = scope.source.vars == nullptr && key.name != "vars";
  if (may_wait && has_variables(entry.value))
    setting.unfilled = std::make_shared<const TomlEntry>(entry);
  else
    evaluate(setting, entry, scope.source.vars);
  const bool is_own_notice = key.availability == Availability::later && !scope.is_later;
  const bool has_notice =
      is_own_notice && !is_map(key.type) && (setting.unfilled || !is_preset(setting));
  if (has_notice)
    report_problem(setting,
                   {entry.value.line, {}, std::string(kNoEffect), ProblemSeverity::notice});
  return setting;
}

void LayerReader::evaluate(Setting& setting, const TomlEntry& entry, const Vars* vars) {
  ValueProblems value_problems;
  const TomlEntry filled{entry.name, fill(entry.value, vars, value_problems)};
  if (auto used = substitutor_.take_used(); used && value_problems.empty())
    setting.secrets = secrets_of(entry.value, vars, *std::move(used));
  if (setting.secrets != nullptr && has_secret_in_name(*setting.key, entry.value, vars))
    value_problems.push_back({entry.value.line, {}, kSecretInName});
  if (value_problems.empty()) {
    setting.effective = to_toml(filled.value);
    ReadValue read = is_map(setting.key->type)
                         ? read_map_entry(*setting.key, filled)
                         : read_value(*setting.key, filled.value, environment_);
    setting.value = std::move(read.value);
    setting.prevents_running = read.prevents_running;
    value_problems = std::move(read.value_problems);
    if (std::string mark = unfilled_mark(*setting.key, entry.value); !mark.empty())
      value_problems.push_back({entry.value.line, {}, std::move(mark), ProblemSeverity::warning});
  }
  for (ValueProblem& each : value_problems) report_problem(setting, std::move(each));
}

TomlValue LayerReader::fill(const TomlValue& value, const Vars* vars,
                            ValueProblems& value_problems) {
  return with_texts(value, [&](const TomlValue& text) -> TomlValue {
    auto filled = substitutor_.fill(*text.text(), vars);
    if (!filled) {
      value_problems.push_back({text.line, {}, std::move(filled).error().message});
      return text;
    }
    const bool is_changed = *filled != *text.text();
    return {*std::move(filled), text.line, is_changed};
  });
}

void LayerReader::finish(Settings& settings, const Vars& vars) {
  for (auto& [path, setting] : settings) {
    if (setting.unfilled == nullptr) continue;
    const auto entry = std::exchange(setting.unfilled, nullptr);
    evaluate(setting, *entry, &vars);
  }
}

}  // namespace heddle::config

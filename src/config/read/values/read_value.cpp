#include "config/read/values/read_value.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "config/read/hook_rules.hpp"
#include "config/read/values/field_rule.hpp"
#include "config/read/values/formats.hpp"
#include "config/read/values/scalar.hpp"
#include "config/read/values/substitute.hpp"
#include "model/names.hpp"

namespace heddle::config {

namespace {

constexpr std::size_t kShortList = 12;  // keys; short enough to list in a message

constexpr NameTable<FieldType, 4> kFieldTypes{{{FieldType::text, "text"},
                                               {FieldType::money, "money"},
                                               {FieldType::number, "number"},
                                               {FieldType::date, "date"}}};

ReadValue invalid(int line, std::string message,
                  ProblemSeverity severity = ProblemSeverity::error) {
  return {{}, {{line, {}, std::move(message), severity}}};
}

void move_problems(ReadValue& into, ReadValue&& from, const std::string& below = {}) {
  for (ValueProblem& each : from.value_problems) {
    each.below = below + each.below;
    into.value_problems.push_back(std::move(each));
  }
  into.prevents_running = into.prevents_running || from.prevents_running;
}

ReadValue read_zone(const TomlValue& value, const std::string& name,
                    const Environment& environment) {
  ReadValue out{name, {}};
  switch (check_zone(name, environment)) {
    case ZoneCheck::exists:
      return out;
    case ZoneCheck::missing:
      return invalid(value.line, fmt::format("there is no time zone {}, expected a name such as "
                                             "\"Europe/Berlin\" or \"UTC\"",
                                             in_quotes(name)));
    case ZoneCheck::no_database:
      break;
  }
  out.value_problems.push_back({value.line,
                                {},
                                fmt::format("{} cannot be checked: no time zone database in {}",
                                            in_quotes(name), environment.zoneinfo.string()),
                                ProblemSeverity::warning});
  return out;
}

std::string available_words(const Key& key) {
  std::string words;
  for (const std::string_view word : words_of(key))
    if (is_word_available(key, word)) words += (words.empty() ? "" : ", ") + in_quotes(word);
  return words;
}

// The word stands for a feature without which the job cannot do what it is meant to.
void note_unavailable(ReadValue& out, const Key& key, const TomlValue& word) {
  out.prevents_running = true;
  out.value_problems.push_back(
      {word.line,
       {},
       fmt::format("{} is not available yet, so the job cannot run; available: {}", to_toml(word),
                   available_words(key))});
}

ReadValue read_single(const Key& key, const TomlValue& value, const Environment& environment) {
  auto typed = read_scalar(key, value);
  if (!typed) return invalid(value.line, std::move(typed).error().message);
  const auto* text = std::get_if<std::string>(&*typed);
  if (key.type == KeyType::zone && text != nullptr) return read_zone(value, *text, environment);
  ReadValue out{*std::move(typed), {}};
  if (key.type == KeyType::word && !is_word_available(key, std::get<std::string>(out.value)))
    note_unavailable(out, key, value);
  return out;
}

// The check of each element of a list.
Status check_element(const Key& key, const TomlValue& element) {
  const std::string& text = *element.text();
  switch (key.type) {
    case KeyType::url_list:
      return check_url(trim(text));
    case KeyType::proxy_list:
      return check_proxy_url(trim(text));
    case KeyType::css_list:
      return check_css(text);
    case KeyType::regex_list:
      return check_regex(text);
    case KeyType::network_list:
      return check_network(trim(text));
    case KeyType::word_list: {
      const auto words = words_of(key);
      if (std::find(words.begin(), words.end(), text) != words.end()) return Done{};
      return Error{ErrorCode::bad_input, mismatch(key, element)};
    }
    default:
      return Done{};
  }
}

bool takes_single_text(KeyType type) {
  return type == KeyType::text_or_list || type == KeyType::word_list ||
         type == KeyType::names_or_tables;
}

ReadValue read_texts(const Key& key, const TomlValue& value) {
  TomlList single;
  if (value.text() != nullptr && takes_single_text(key.type)) single.push_back(value);
  const TomlList* list = single.empty() ? value.list() : &single;
  if (list == nullptr) return invalid(value.line, mismatch(key, value));
  ReadValue out;
  std::vector<std::string> texts;
  for (const TomlValue& element : *list) {
    if (element.text() == nullptr) {
      move_problems(out, invalid(element.line, fmt::format("found {} in the list, expected {}",
                                                           to_toml(element), describe(key.type))));
      continue;
    }
    if (auto status = check_element(key, element); !status)
      move_problems(out, invalid(element.line, std::move(status).error().message));
    else if (key.type == KeyType::word_list && !is_word_available(key, *element.text()))
      note_unavailable(out, key, element);
    texts.push_back(*element.text());
  }
  out.value = std::move(texts);
  return out;
}

// Reads a table by its section and passes each valid value to `on_value`.
template <class OnValue>
ReadValue read_table(std::string_view section_name, const TomlValue& value,
                     const Environment& environment, OnValue on_value) {
  ReadValue out;
  const Section& section = section_named(section_name);
  for (const TomlEntry& entry : *value.table()) {
    const std::string below = "." + entry.name;
    const Key* key = find_key(section, entry.name);
    if (key == nullptr) {
      move_problems(out, invalid(entry.value.line, unknown_key(section, entry.name)), below);
      continue;
    }
    ReadValue read = read_value(*key, entry.value, environment);
    if (read.value_problems.empty()) on_value(*key, read.value);
    move_problems(out, std::move(read), below);
  }
  return out;
}

void set_selector(FieldRule& rule, SelectorKind kind, std::string_view text) {
  rule.kind = kind;
  rule.selector = text;
}

void set_field(FieldRule& rule, std::string_view key, const Typed& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return;
  if (key == "name") rule.name = trim(*text);
  if (key == "selector") set_selector(rule, selector_kind(*text), *text);
  if (key == "css") set_selector(rule, SelectorKind::css, *text);
  if (key == "xpath") set_selector(rule, SelectorKind::xpath, *text);
  if (key == "json") set_selector(rule, SelectorKind::json_path, *text);
  if (key == "att" || key == "attr") rule.attribute = attribute_named(*text);
  if (key == "default") rule.fallback = *text;
  if (key == "join") rule.join = *text;
  if (key == "regex") rule.regex = *text;
  if (key == "type") rule.type = value_of(kFieldTypes, *text).value_or(FieldType::text);
}

// "" means the container itself, which the type `css` does not allow.
TomlValue without_empty_selector(const TomlValue& table) {
  TomlTable kept;
  for (const TomlEntry& entry : *table.table()) {
    const bool is_empty = entry.name == "selector" && entry.value.text() != nullptr &&
                          trim(*entry.value.text()).empty();
    if (!is_empty) kept.push_back(entry);
  }
  return {std::move(kept), table.line};
}

ReadValue check_field(const FieldRule& rule, int line, bool is_short) {
  ReadValue out;
  if (rule.name.empty()) move_problems(out, invalid(line, "the field has no name"));
  if (!rule.selector.empty() && (is_short || rule.kind != SelectorKind::css))
    if (auto status = check_selector(rule.kind, rule.selector); !status)
      move_problems(out, invalid(line, fmt::format("field {}: {}", in_quotes(rule.name),
                                                   status.error().message)));
  if (!rule.regex.empty())
    if (auto status = check_regex(rule.regex); !status)
      move_problems(out, invalid(line, status.error().message), ".regex");
  return out;
}

ReadValue refuse_two_selectors(const TomlValue& table) {
  std::string_view first;
  for (const TomlEntry& entry : *table.table()) {
    const bool is_selector = entry.name == "selector" || entry.name == "css" ||
                             entry.name == "xpath" || entry.name == "json";
    if (!is_selector) continue;
    if (!first.empty())
      return invalid(entry.value.line,
                     fmt::format("`{}` and `{}` cannot be given together", first, entry.name));
    first = entry.name;
  }
  return {};
}

ReadValue read_field(const TomlValue& element, const Environment& environment, FieldRule& rule) {
  if (element.table() != nullptr) {
    ReadValue twice = refuse_two_selectors(element);
    if (!twice.value_problems.empty()) return twice;
    ReadValue out =
        read_table("field", without_empty_selector(element), environment,
                   [&](const Key& key, const Typed& value) { set_field(rule, key.name, value); });
    if (out.value_problems.empty()) move_problems(out, check_field(rule, element.line, false));
    return out;
  }
  if (element.text() == nullptr)
    return invalid(element.line, fmt::format("found {} in the list, expected \"name:css\", "
                                             "\"name:css@attribute\", \"name:./xpath\", "
                                             "\"name:$.json.path\" or a table",
                                             to_toml(element)));
  auto parsed = parse_field(*element.text());
  if (!parsed) return invalid(element.line, std::move(parsed).error().message);
  rule = *std::move(parsed);
  return check_field(rule, element.line, true);
}

ReadValue read_fields(const Key& key, const TomlValue& value, const Environment& environment) {
  if (value.list() == nullptr) return invalid(value.line, mismatch(key, value));
  ReadValue out;
  std::vector<FieldRule> rules;
  std::set<std::string> names;
  for (const TomlValue& element : *value.list()) {
    FieldRule rule;
    move_problems(out, read_field(element, environment, rule));
    if (!rule.name.empty() && !names.insert(rule.name).second)
      move_problems(
          out, invalid(element.line, fmt::format("there are two fields {}", in_quotes(rule.name))));
    rules.push_back(std::move(rule));
  }
  out.value = std::move(rules);
  return out;
}

ReadValue read_tables(const Key& key, const TomlValue& value, const Environment& environment) {
  TomlList single;
  if (value.table() != nullptr && key.type == KeyType::names_or_tables) single.push_back(value);
  const TomlList* list = single.empty() ? value.list() : &single;
  if (list == nullptr) return invalid(value.line, mismatch(key, value));
  ReadValue out;
  for (const TomlValue& element : *list) {
    if (element.table() == nullptr)
      move_problems(out, invalid(element.line, fmt::format("found {} in the list, expected {}",
                                                           to_toml(element), describe(key.type))));
    else
      move_problems(out,
                    read_table(key.allowed, element, environment, [](const Key&, const Typed&) {}));
  }
  return out;
}

bool has_tables(const TomlValue& value) {
  if (value.table() != nullptr) return true;
  const TomlList* list = value.list();
  return list != nullptr && std::any_of(list->begin(), list->end(), [](const TomlValue& element) {
           return element.table() != nullptr;
         });
}

// Only for maps inside table lists; LayerReader reads the others entry by entry.
ReadValue read_inner_map(const Key& key, const TomlValue& value) {
  if (value.table() == nullptr) return invalid(value.line, mismatch(key, value));
  ReadValue out;
  for (const TomlEntry& entry : *value.table())
    move_problems(out, read_map_entry(key, entry), "." + entry.name);
  return out;
}

}  // namespace

ReadValue read_value(const Key& key, const TomlValue& value, const Environment& environment) {
  if (is_scalar(key.type)) return read_single(key, value, environment);
  switch (key.type) {
    case KeyType::field_list:
      return read_fields(key, value, environment);
    case KeyType::table_list:
      return key.allowed == "hook" ? read_hooks(key, value, environment)
                                   : read_tables(key, value, environment);
    case KeyType::names_or_tables:
      return has_tables(value) ? read_tables(key, value, environment) : read_texts(key, value);
    case KeyType::text_map:
    case KeyType::header_map:
      return read_inner_map(key, value);
    default:
      return read_texts(key, value);
  }
}

ReadValue read_map_entry(const Key& key, const TomlEntry& entry) {
  std::string text;
  if (entry.value.text() != nullptr)
    text = *entry.value.text();
  else if (entry.value.list() == nullptr && entry.value.table() == nullptr)
    text = to_toml(entry.value);  // numbers and booleans are accepted as text
  else
    return invalid(entry.value.line,
                   fmt::format("found {}, expected a text", kind_of(entry.value)));
  if (key.type == KeyType::header_map)
    if (auto status = check_header(entry.name, text); !status)
      return invalid(entry.value.line, std::move(status).error().message);
  if (key.name == "vars" && !is_variable_name(entry.name))
    return invalid(entry.value.line,
                   "a name is made of letters, digits, \"_\" and \"-\" and starts with a letter");
  return {NamedText{entry.name, std::move(text)}, {}};
}

std::string unknown_key(const Section& section, std::string_view name) {
  const auto names = key_names(section);
  if (const auto nearest = nearest_name(name, names))
    return fmt::format("unknown key, did you mean `{}`?", *nearest);
  for (const Section& other : all_sections())
    if (&other != &section && find_key(other, name) != nullptr)
      return fmt::format("unknown key here: it belongs in {}", other.title);
  if (names.size() > kShortList) return "unknown key, see `heddle explain`";
  std::string all;
  for (const std::string_view each : names)
    all += fmt::format("{}`{}`", all.empty() ? "" : ", ", each);
  return fmt::format("unknown key, allowed are {}", all);
}

}  // namespace heddle::config

#include "config/read/layer_reader.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "config/read/scalar.hpp"

namespace heddle::config {

namespace {

constexpr std::string_view kNoEffect = "not available yet, has no effect";

constexpr std::size_t kLongestName = 100;

// A key as long as a book should not fill the screen.
std::string short_name(const std::string& name) {
  if (name.size() <= kLongestName) return name;
  return std::string(utf8_prefix(name, kLongestName)) + "…";
}

bool is_map(KeyType type) {
  return type == KeyType::text_map || type == KeyType::header_map;
}

void complain(Setting& setting, Complaint complaint) {
  setting.problems.push_back({setting.origin.file, complaint.line, setting.label + complaint.below,
                              std::move(complaint.message), complaint.severity});
}

// What was written as a key's value says nothing new: no reason to talk about it.
bool is_preset(const Setting& setting) {
  if (std::holds_alternative<std::monostate>(setting.value)) return setting.effective == "\"off\"";
  return setting.value == preset_of(*setting.key);
}

// Maps are kept by entry; header names do not know upper and lower case.
std::string entry_path(const Key& key, const std::string& name) {
  return key.type == KeyType::header_map ? to_lower_ascii(name) : name;
}

}  // namespace

Settings LayerReader::read(const Table& table, const Section& section, const Source& source) {
  Settings out;
  read_section(table, section, Place{source, {}, false}, out);
  return out;
}

void LayerReader::read_section(const Table& table, const Section& section, const Place& place,
                               Settings& out) {
  for (const Entry& entry : table) {
    const Key* key = find_key(section, entry.name);
    if (key != nullptr) {
      read_entry(entry, *key, place, out);
      continue;
    }
    Setting unknown = make_setting(entry, nullptr, place);
    complain(unknown, {entry.value.line, {}, unknown_key(section, entry.name)});
    out.insert_or_assign(place.path + entry.name, std::move(unknown));
  }
}

void LayerReader::read_entry(const Entry& entry, const Key& key, const Place& place,
                             Settings& out) {
  const bool is_nested =
      key.type == KeyType::table || key.type == KeyType::table_map || is_map(key.type);
  if (!is_nested) {
    out.insert_or_assign(place.path + entry.name, read_setting(entry, key, place));
  } else if (entry.value.table() == nullptr) {
    Setting wrong = make_setting(entry, &key, place);
    complain(wrong, {entry.value.line, {}, mismatch(key, entry.value)});
    out.insert_or_assign(place.path + entry.name, std::move(wrong));
  } else {
    read_below(entry, key, place, out);
  }
}

void LayerReader::read_below(const Entry& entry, const Key& key, const Place& place,
                             Settings& out) {
  const bool is_later = key.availability == Availability::later;
  const Place below{place.source, place.path + entry.name + ".", place.is_later || is_later};
  Settings inner;
  if (is_map(key.type)) {
    read_map(entry, key, below, inner);
  } else if (key.type == KeyType::table) {
    read_section(*entry.value.table(), section_named(key.allowed), below, inner);
  } else {
    read_named_tables(entry, key, below, inner);
  }
  const auto telling = std::find_if(inner.begin(), inner.end(), [](const auto& each) {
    return each.second.key != nullptr && !is_preset(each.second);
  });
  if (is_later && !place.is_later && telling != inner.end())
    telling->second.problems.push_back({place.source.file, entry.value.line,
                                        place.source.label + place.path + entry.name,
                                        std::string(kNoEffect), Severity::notice});
  out.merge(inner);
}

void LayerReader::read_named_tables(const Entry& entry, const Key& key, const Place& place,
                                    Settings& out) {
  for (const Entry& named : *entry.value.table()) {
    if (named.value.table() != nullptr) {
      const Place below{place.source, place.path + named.name + ".", place.is_later};
      read_section(*named.value.table(), section_named(key.allowed), below, out);
      continue;
    }
    Setting wrong = make_setting(named, &key, place);
    complain(
        wrong,
        {named.value.line, {}, fmt::format("found {}, expected a table", to_toml(named.value))});
    out.insert_or_assign(place.path + named.name, std::move(wrong));
  }
}

void LayerReader::read_map(const Entry& entry, const Key& key, const Place& place, Settings& out) {
  for (const Entry& named : *entry.value.table()) {
    const std::string path = place.path + entry_path(key, named.name);
    if (out.contains(path)) {
      Setting& twice = out.at(path);
      complain(twice, {named.value.line, {}, "the same header is given twice"});
      continue;
    }
    out.insert_or_assign(path, read_setting(named, key, place));
  }
}

Setting LayerReader::make_setting(const Entry& entry, const Key* key, const Place& place) {
  Setting setting;
  setting.key = key;
  setting.label = place.source.label + place.path + short_name(entry.name);
  setting.written = to_toml(entry.value);
  setting.effective = setting.written;
  setting.origin = {place.source.file, entry.value.line};
  setting.available = key != nullptr && key->availability == Availability::now && !place.is_later;
  return setting;
}

Setting LayerReader::read_setting(const Entry& entry, const Key& key, const Place& place) {
  Setting setting = make_setting(entry, &key, place);
  // A variable's own text is taken as it is, so that filling in always ends.
  const bool may_wait = place.source.vars == nullptr && key.name != "vars";
  if (may_wait && has_variables(entry.value))
    setting.unfilled = std::make_shared<const Entry>(entry);
  else
    evaluate(setting, entry, place.source.vars);
  const bool says_itself = key.availability == Availability::later && !place.is_later;
  const bool tells = says_itself && !is_map(key.type) && (setting.unfilled || !is_preset(setting));
  if (tells) complain(setting, {entry.value.line, {}, std::string(kNoEffect), Severity::notice});
  return setting;
}

void LayerReader::evaluate(Setting& setting, const Entry& entry, const Vars* vars) {
  Complaints complaints;
  const Entry filled{entry.name, fill(entry.value, vars, complaints)};
  if (complaints.empty()) {
    setting.effective = to_toml(filled.value);
    ReadValue read = is_map(setting.key->type)
                         ? read_map_entry(*setting.key, filled)
                         : read_value(*setting.key, filled.value, environment_);
    setting.value = std::move(read.value);
    setting.prevents_running = read.prevents_running;
    complaints = std::move(read.complaints);
  }
  for (Complaint& each : complaints) complain(setting, std::move(each));
}

Value LayerReader::fill(const Value& value, const Vars* vars, Complaints& complaints) {
  if (const std::string* text = value.text()) {
    auto filled = substitutor_.fill(*text, vars);
    if (!filled) {
      complaints.push_back({value.line, {}, std::move(filled).error().message});
      return value;
    }
    const bool is_changed = *filled != *text;
    return {*std::move(filled), value.line, is_changed};
  }
  if (const List* list = value.list()) {
    List out;
    for (const Value& element : *list) out.push_back(fill(element, vars, complaints));
    return {std::move(out), value.line};
  }
  if (const Table* table = value.table()) {
    Table out;
    for (const Entry& entry : *table)
      out.push_back({entry.name, fill(entry.value, vars, complaints)});
    return {std::move(out), value.line};
  }
  return value;
}

void LayerReader::finish(Settings& settings, const Vars& vars) {
  for (auto& [path, setting] : settings) {
    if (setting.unfilled == nullptr) continue;
    const auto entry = std::exchange(setting.unfilled, nullptr);
    evaluate(setting, *entry, &vars);
  }
}

}  // namespace heddle::config

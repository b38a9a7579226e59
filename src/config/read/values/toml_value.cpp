#include "config/read/values/toml_value.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace heddle::config {

namespace {

// In the order of Value::data.
constexpr std::array<std::string_view, 7> kKinds{
    "true or false", "a whole number", "a number", "a text", "a date or time", "a list", "a table"};

bool is_bare(std::string_view name) {
  for (const char c : name) {
    const bool ok = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                    c == '-' || c == '_';
    if (!ok) return false;
  }
  return !name.empty();
}

std::string number_text(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
  std::string text = fmt::format("{}", number);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

struct Printer {
  std::string operator()(bool flag) const { return flag ? "true" : "false"; }
  std::string operator()(std::int64_t number) const { return std::to_string(number); }
  std::string operator()(double number) const { return number_text(number); }
  std::string operator()(const std::string& text) const { return in_quotes(text); }
  std::string operator()(const TomlDateTime& date_time) const { return date_time.text; }
  std::string operator()(const TomlList& list) const {
    std::string out = "[";
    for (const TomlValue& value : list) {
      if (&value != &list.front()) out += ", ";
      out += to_toml(value);
    }
    return out + "]";
  }
  std::string operator()(const TomlTable& table) const {
    if (table.empty()) return "{}";
    std::string out = "{ ";
    for (const TomlEntry& entry : table) {
      if (&entry != &table.front()) out += ", ";
      out +=
          (is_bare(entry.name) ? entry.name : in_quotes(entry.name)) + " = " + to_toml(entry.value);
    }
    return out + " }";
  }
};

}  // namespace

std::string_view kind_of(const TomlValue& value) {
  return kKinds[value.data.index()];
}

std::string to_toml(const TomlValue& value) {
  return std::visit(Printer{}, value.data);
}

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out += {'\\', c};
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (byte < 0x20 || byte == 0x7F)
      out += fmt::format("\\u{:04X}", byte);
    else
      out += c;
  }
  return out + '"';
}

const TomlValue* find_entry(const TomlTable& table, std::string_view name) {
  for (const TomlEntry& entry : table)
    if (entry.name == name) return &entry.value;
  return nullptr;
}

}  // namespace heddle::config

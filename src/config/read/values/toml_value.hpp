// A TOML document as plain values with line numbers. Only parse_toml.cpp includes the TOML library,
// which is slow to compile.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace heddle::config {

struct TomlValue;
struct TomlEntry;

struct TomlDateTime {  // a TOML date or time; no key accepts one
  std::string text;
};

using TomlList = std::vector<TomlValue>;
using TomlTable = std::vector<TomlEntry>;  // in file order

struct TomlValue {
  std::variant<bool, std::int64_t, double, std::string, TomlDateTime, TomlList, TomlTable> data;
  int line = 0;
  bool substituted = false;  // a text after substitution of ${…} or {{…}}: may hold a number

  [[nodiscard]] const std::string* text() const { return std::get_if<std::string>(&data); }
  [[nodiscard]] const TomlList* list() const { return std::get_if<TomlList>(&data); }
  [[nodiscard]] const TomlTable* table() const { return std::get_if<TomlTable>(&data); }
};

struct TomlEntry {
  std::string name;
  TomlValue value;  // its line is that of the name
};

// "a text", "a table": the kind of value, for messages.
std::string_view kind_of(const TomlValue& value);

// Formats the value as TOML on one line.
std::string to_toml(const TomlValue& value);
std::string in_quotes(std::string_view text);

// Returns nullptr when there is none.
const TomlValue* find_entry(const TomlTable& table, std::string_view name);

struct SyntaxError {
  int line = 0;
  std::string message;
};

// Parses a document into a table. Safe for any input: it neither crashes nor overflows the stack.
std::variant<TomlValue, SyntaxError> parse_toml(std::string_view text);

}  // namespace heddle::config

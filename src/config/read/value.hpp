// A TOML document as plain values with line numbers; the only part of the room that meets the TOML
// library is parse_toml.cpp, which is slow to compile.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace heddle::config {

struct Value;
struct Entry;

struct Moment {  // a TOML date or time; no key takes one
  std::string text;
};

using List = std::vector<Value>;
using Table = std::vector<Entry>;  // in the order of the file

struct Value {
  std::variant<bool, std::int64_t, double, std::string, Moment, List, Table> data;
  int line = 0;
  bool substituted = false;  // a text with ${…} or {{…}} filled in: may stand for a number

  [[nodiscard]] const std::string* text() const { return std::get_if<std::string>(&data); }
  [[nodiscard]] const List* list() const { return std::get_if<List>(&data); }
  [[nodiscard]] const Table* table() const { return std::get_if<Table>(&data); }
};

struct Entry {
  std::string name;
  Value value;  // its line is the one of the name
};

// "a text", "a table": what stands there, for messages.
std::string_view kind_of(const Value& value);

// As TOML on one line.
std::string to_toml(const Value& value);
std::string in_quotes(std::string_view text);

// nullptr when there is none.
const Value* find_entry(const Table& table, std::string_view name);

struct SyntaxError {
  int line = 0;
  std::string message;
};

// The whole document as a table. Never crashes or overflows the stack, whatever the bytes.
std::variant<Value, SyntaxError> parse_toml(std::string_view text);

}  // namespace heddle::config

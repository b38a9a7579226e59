// A value that crossed the border between Lua and the engine: no Lua state behind it, safe to keep.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace heddle::script {

struct Value;

struct Null {  // JSON's null, `json_null` in Lua; nil is std::monostate
  bool operator==(const Null&) const = default;
};
using List = std::vector<Value>;                         // a Lua array, also an empty one
using Map = std::vector<std::pair<std::string, Value>>;  // a Lua table with names, in order

// Integers stay integers, strings may hold any bytes.
struct Value {
  using Data =
      std::variant<std::monostate, Null, bool, std::int64_t, double, std::string, List, Map>;
  Data data{};

  bool operator==(const Value&) const = default;
};

}  // namespace heddle::script

// ScriptValue is a value exchanged between Lua and the engine: a copy without any Lua state.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace heddle::script {

struct ScriptValue;

struct Null {  // JSON's null, `json_null` in Lua; nil is std::monostate
  bool operator==(const Null&) const = default;
};
using List = std::vector<ScriptValue>;                         // a Lua array, possibly empty
using Map = std::vector<std::pair<std::string, ScriptValue>>;  // a Lua table with names, in order

// Integers stay integers, strings may hold any bytes.
struct ScriptValue {
  using Data =
      std::variant<std::monostate, Null, bool, std::int64_t, double, std::string, List, Map>;
  Data data{};

  bool operator==(const ScriptValue&) const = default;
};

}  // namespace heddle::script

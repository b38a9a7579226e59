#include "script/lua/stack.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <lua.hpp>

#include "script/lua/frozen_table.hpp"
#include "script/lua/step_counter.hpp"

namespace heddle::script {
namespace {

// Only their addresses are used: keys of the registry, and json_null itself.
constexpr char kArrayMark = 'a';
constexpr char kNull = 'n';

constexpr std::size_t kMaxLevels = 100;
// A table that contains the same table many times would otherwise grow without bound when copied.
constexpr std::size_t kMaxValueBytes = 64'000'000;

void* null_address() {
  return const_cast<char*>(&kNull);  // never written through: the address is the value
}

void push_array_metatable(lua_State* lua) {
  if (lua_rawgetp(lua, LUA_REGISTRYINDEX, &kArrayMark) == LUA_TTABLE) return;
  lua_pop(lua, 1);
  lua_createtable(lua, 0, 1);
  lua_pushboolean(lua, 0);
  lua_setfield(lua, -2, "__metatable");  // hidden from scripts
  lua_pushvalue(lua, -1);
  lua_rawsetp(lua, LUA_REGISTRYINDEX, &kArrayMark);
}

void push_list(lua_State* lua, const List& list) {
  lua_createtable(lua, static_cast<int>(list.size()), 0);
  lua_Integer position = 0;
  for (const ScriptValue& element : list) {
    push_value(lua, element);
    lua_rawseti(lua, -2, ++position);
  }
  mark_as_array(lua);
}

void push_map(lua_State* lua, const Map& map) {
  lua_createtable(lua, 0, static_cast<int>(map.size()));
  for (const auto& [key, value] : map) {
    lua_pushlstring(lua, key.data(), key.size());
    push_value(lua, value);
    lua_rawset(lua, -3);
  }
}

// Copies one Lua value, tables deeply.
class ValueReader {
 public:
  explicit ValueReader(lua_State* lua) : lua_(lua), steps_(lua) {}

  // The index is absolute.
  ScriptValue read(int index) {
    charge(sizeof(ScriptValue));
    switch (lua_type(lua_, index)) {
      case LUA_TNIL:
        return {};
      case LUA_TBOOLEAN:
        return {lua_toboolean(lua_, index) != 0};
      case LUA_TNUMBER:
        if (lua_isinteger(lua_, index) != 0)
          return {static_cast<std::int64_t>(lua_tointeger(lua_, index))};
        return {lua_tonumber(lua_, index)};
      case LUA_TSTRING:
        return {read_string(index)};
      case LUA_TTABLE:
        return read_table(index);
      default:
        break;
    }
    if (is_null(lua_, index)) return {Null{}};
    luaL_error(lua_, "a %s cannot be handed to the engine", luaL_typename(lua_, index));
    return {};
  }

 private:
  void charge(std::size_t bytes) {
    steps_.add(1 + steps_for_bytes(bytes));
    if (bytes > kMaxValueBytes - bytes_)
      luaL_error(lua_, "the value is too large to be handed to the engine");
    bytes_ += bytes;
  }

  std::string read_string(int index) {
    std::size_t size = 0;
    const char* data = lua_tolstring(lua_, index, &size);
    charge(size);
    return {data, size};
  }

  ScriptValue read_table(int index) {
    luaL_checkstack(lua_, 8, "value nested too deeply");
    const void* table = lua_topointer(lua_, index);
    if (std::find(open_tables_.begin(), open_tables_.end(), table) != open_tables_.end())
      luaL_error(lua_, "a table that contains itself cannot be handed to the engine");
    if (open_tables_.size() >= kMaxLevels)
      luaL_error(lua_, "the value has more than %d levels", static_cast<int>(kMaxLevels));
    open_tables_.push_back(table);
    push_contents(lua_, index);
    const int contents = lua_gettop(lua_);
    const auto length = static_cast<std::size_t>(lua_rawlen(lua_, contents));
    ScriptValue value = length > 0 || is_marked_as_array(lua_, index)
                            ? ScriptValue{read_list(contents, length)}
                            : ScriptValue{read_map(contents)};
    lua_pop(lua_, 1);
    open_tables_.pop_back();
    return value;
  }

  // Positions without a value stay nil, so that {1, nil, 3} has three elements.
  List read_list(int index, std::size_t length) {
    if (length > kMaxValueBytes / sizeof(ScriptValue)) charge(kMaxValueBytes);
    charge(length * sizeof(ScriptValue));
    List list(length);
    for (lua_pushnil(lua_); lua_next(lua_, index) != 0; lua_pop(lua_, 1)) {
      if (lua_isinteger(lua_, -2) == 0)
        luaL_error(lua_, "a table with both positions and names cannot be handed to the engine");
      const auto offset = static_cast<std::size_t>(lua_tointeger(lua_, -2)) - 1;
      if (offset >= length) luaL_error(lua_, "a list with holes cannot be handed to the engine");
      list[offset] = read(lua_gettop(lua_));
    }
    return list;
  }

  Map read_map(int index) {
    Map map;
    for (lua_pushnil(lua_); lua_next(lua_, index) != 0; lua_pop(lua_, 1)) {
      if (lua_type(lua_, -2) != LUA_TSTRING)
        luaL_error(lua_, "a table with a key that is a %s cannot be handed to the engine",
                   luaL_typename(lua_, -2));
      const int top = lua_gettop(lua_);
      std::string key = read_string(top - 1);
      map.emplace_back(std::move(key), read(top));
    }
    // Lua has no order of its own, and the same table should give the same value twice.
    std::sort(map.begin(), map.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    return map;
  }

  lua_State* lua_;
  StepCounter steps_;
  std::size_t bytes_ = 0;
  std::vector<const void*> open_tables_;  // those around the value being read
};

}  // namespace

void push_value(lua_State* lua, const ScriptValue& value) {
  luaL_checkstack(lua, 6, "value nested too deeply");
  struct Pusher {
    lua_State* lua;
    void operator()(std::monostate) const { lua_pushnil(lua); }
    void operator()(Null) const { push_null(lua); }
    void operator()(bool flag) const { lua_pushboolean(lua, flag ? 1 : 0); }
    void operator()(std::int64_t number) const { lua_pushinteger(lua, number); }
    void operator()(double number) const { lua_pushnumber(lua, number); }
    void operator()(const std::string& text) const {
      lua_pushlstring(lua, text.data(), text.size());
    }
    void operator()(const List& list) const { push_list(lua, list); }
    void operator()(const Map& map) const { push_map(lua, map); }
  };
  std::visit(Pusher{lua}, value.data);
}

ScriptValue read_value(lua_State* lua, int index) {
  return ValueReader(lua).read(lua_absindex(lua, index));
}

void mark_as_array(lua_State* lua) {
  push_array_metatable(lua);
  lua_setmetatable(lua, -2);
}

bool is_marked_as_array(lua_State* lua, int index) {
  if (!push_metatable(lua, index)) return false;
  push_array_metatable(lua);
  const bool is_marked = lua_rawequal(lua, -1, -2) != 0;
  lua_pop(lua, 2);
  return is_marked;
}

void push_null(lua_State* lua) {
  lua_pushlightuserdata(lua, null_address());
}

bool is_null(lua_State* lua, int index) {
  return lua_type(lua, index) == LUA_TLIGHTUSERDATA && lua_touserdata(lua, index) == null_address();
}

}  // namespace heddle::script

// dump, copy and deep_copy. Copies contain the raw elements; dump uses __pairs.
#include <algorithm>

#include <lua.hpp>

#include "script/library/libraries.hpp"
#include "script/library/text/dump_writer.hpp"
#include "script/lua/frozen_table.hpp"
#include "script/lua/step_counter.hpp"

namespace heddle::script {
namespace {

int dump(lua_State* lua) {
  luaL_checkany(lua, 1);
  const std::string text = to_dump(lua, 1);
  lua_pushlstring(lua, text.data(), text.size());
  return 1;
}

// Pushes an empty table with the metatable of the one at `index`. Copies of frozen tables are not
// frozen.
void push_empty_like(lua_State* lua, int index) {
  lua_createtable(lua, static_cast<int>(std::min<lua_Unsigned>(lua_rawlen(lua, index), 1024)), 0);
  if (push_metatable(lua, index)) lua_setmetatable(lua, -2);
}

// The copy has the same elements and the same metatable; other values are returned unchanged.
int copy(lua_State* lua) {
  luaL_checkany(lua, 1);
  lua_settop(lua, 1);
  if (lua_type(lua, 1) != LUA_TTABLE) return 1;
  StepCounter steps(lua);
  push_empty_like(lua, 1);
  replace_by_contents(lua, 1);
  for (lua_pushnil(lua); lua_next(lua, 1) != 0;) {
    steps.add(4);
    lua_pushvalue(lua, -2);
    lua_insert(lua, -2);
    lua_rawset(lua, 2);
  }
  return 1;
}

// Copies a graph of tables of any depth without recursion, with a work list of tables whose copies
// are still empty. Metatables are shared, not copied.
class DeepCopier {
 public:
  explicit DeepCopier(lua_State* lua) : lua_(lua), steps_(lua) {
    lua_newtable(lua);
    lua_newtable(lua);
  }

  // Replaces the value on top by its copy.
  void replace_top() {
    if (lua_type(lua_, -1) != LUA_TTABLE) return;
    lua_pushvalue(lua_, -1);
    if (lua_rawget(lua_, kCopies) == LUA_TNIL) {
      lua_pop(lua_, 1);
      add_empty_copy();
    }
    lua_remove(lua_, -2);
  }

  void fill_all() {
    while (waiting_ > 0) {
      lua_rawgeti(lua_, kWaiting, waiting_);
      lua_pushnil(lua_);
      lua_rawseti(lua_, kWaiting, waiting_--);
      fill();
    }
  }

 private:
  static constexpr int kCopies = 2;   // stack: original -> copy
  static constexpr int kWaiting = 3;  // stack: list of originals

  // Pushes an empty copy of the table on top and records both.
  void add_empty_copy() {
    const int original = lua_gettop(lua_);
    lua_pushvalue(lua_, original);
    push_empty_like(lua_, original);
    lua_rawset(lua_, kCopies);
    lua_pushvalue(lua_, original);
    lua_rawseti(lua_, kWaiting, ++waiting_);
    lua_pushvalue(lua_, original);
    lua_rawget(lua_, kCopies);
  }

  // Pops an original and fills its copy.
  void fill() {
    const int original = lua_gettop(lua_);
    lua_pushvalue(lua_, original);
    lua_rawget(lua_, kCopies);
    const int target = original + 1;
    replace_by_contents(lua_, original);
    for (lua_pushnil(lua_); lua_next(lua_, original) != 0;) {
      steps_.add(8);
      lua_pushvalue(lua_, -2);
      replace_top();
      lua_insert(lua_, -2);
      replace_top();
      lua_rawset(lua_, target);
    }
    lua_settop(lua_, original - 1);
  }

  lua_State* lua_;
  StepCounter steps_;
  lua_Integer waiting_ = 0;
};

int deep_copy(lua_State* lua) {
  luaL_checkany(lua, 1);
  lua_settop(lua, 1);
  DeepCopier copier(lua);
  lua_pushvalue(lua, 1);
  copier.replace_top();
  copier.fill_all();
  return 1;
}

}  // namespace

void open_dump(lua_State* lua) {
  lua_register(lua, "dump", dump);
  lua_register(lua, "copy", copy);
  lua_register(lua, "deep_copy", deep_copy);
}

}  // namespace heddle::script

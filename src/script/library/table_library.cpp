// `table` with Lua 5.4's behaviour and Luau's additions. Every loop counts its steps: a table may
// claim any length, and with metamethods written in C a loop would otherwise run forever.
#include <climits>
#include <limits>

#include <lua.hpp>

#include "script/library/integer_argument.hpp"
#include "script/library/libraries.hpp"
#include "script/library/table_access.hpp"
#include "script/library/table_luau.hpp"
#include "script/library/table_sort.hpp"
#include "script/lua/number_text.hpp"
#include "script/lua/step_counter.hpp"

namespace heddle::script {
namespace {

constexpr lua_Integer kMaxInteger = std::numeric_limits<lua_Integer>::max();

lua_Unsigned as_unsigned(lua_Integer number) {
  return static_cast<lua_Unsigned>(number);
}

// Lua's integers wrap around; C++'s must not.
lua_Integer add_wrapping(lua_Integer a, lua_Integer b) {
  return static_cast<lua_Integer>(as_unsigned(a) + as_unsigned(b));
}

int table_insert(lua_State* lua) {
  const TableAccess table(lua, 1, kReads | kWrites | kMeasures);
  const lua_Integer end = add_wrapping(table.length(), 1);
  const int arguments = lua_gettop(lua);
  if (arguments == 2) {
    table.set(end);
    return 0;
  }
  if (arguments != 3) return luaL_error(lua, "wrong number of arguments to 'insert'");
  const lua_Integer position = check_integer(lua, 2);
  luaL_argcheck(lua, as_unsigned(position) - 1 < as_unsigned(end), 2, "position out of bounds");
  StepCounter steps(lua);
  for (lua_Integer i = end; i > position; --i) {
    steps.add(2);
    table.get(i - 1);
    table.set(i);
  }
  table.set(position);
  return 0;
}

int table_remove(lua_State* lua) {
  const TableAccess table(lua, 1, kReads | kWrites | kMeasures);
  const lua_Integer size = table.length();
  lua_Integer position = opt_integer(lua, 2, size);
  if (position != size)  // Lua names the first argument here too
    luaL_argcheck(lua, as_unsigned(position) - 1 <= as_unsigned(size), 1, "position out of bounds");
  table.get(position);
  StepCounter steps(lua);
  for (; position < size; ++position) {
    steps.add(2);
    table.get(position + 1);
    table.set(position);
  }
  lua_pushnil(lua);
  table.set(position);
  return 1;
}

struct TableMove {
  lua_Integer from;
  lua_Integer to;
  lua_Integer count;
};

void move_elements(lua_State* lua, const TableAccess& source, const TableAccess& target,
                   const TableMove& move, bool forward) {
  StepCounter steps(lua);
  for (lua_Integer i = 0; i < move.count; ++i) {
    steps.add(2);
    const lua_Integer offset = forward ? i : move.count - 1 - i;
    source.get(move.from + offset);
    target.set(move.to + offset);
  }
}

int table_move(lua_State* lua) {
  const lua_Integer from = check_integer(lua, 2);
  const lua_Integer end = check_integer(lua, 3);
  const lua_Integer to = check_integer(lua, 4);
  const int target_index = lua_isnoneornil(lua, 5) ? 1 : 5;
  const TableAccess source(lua, 1, kReads);
  const TableAccess target(lua, target_index, kWrites);
  if (end >= from) {
    luaL_argcheck(lua, from > 0 || end < kMaxInteger + from, 3, "too many elements to move");
    const TableMove move{from, to, end - from + 1};
    luaL_argcheck(lua, to <= kMaxInteger - move.count + 1, 4, "destination wrap around");
    const bool is_apart = to > end || to <= from ||
                          (target_index != 1 && lua_compare(lua, 1, target_index, LUA_OPEQ) == 0);
    move_elements(lua, source, target, move, is_apart);
  }
  lua_pushvalue(lua, target_index);
  return 1;
}

void add_element(lua_State* lua, luaL_Buffer& text, const TableAccess& table,
                 lua_Integer position) {
  table.get(position);
  if (lua_isstring(lua, -1) == 0)
    luaL_error(lua, "invalid value (%s) at index %I in table for 'concat'", luaL_typename(lua, -1),
               static_cast<LUAI_UACINT>(position));
  write_whole_float(lua, -1);
  luaL_addvalue(&text);
}

int table_concat(lua_State* lua) {
  const TableAccess table(lua, 1, kReads | kMeasures);
  const lua_Integer length = table.length();
  std::size_t separator_size = 0;
  const char* separator = luaL_optlstring(lua, 2, "", &separator_size);
  lua_Integer position = opt_integer(lua, 3, 1);
  const lua_Integer last = opt_integer(lua, 4, length);
  StepCounter steps(lua);
  luaL_Buffer text;
  luaL_buffinit(lua, &text);
  for (; position < last; ++position) {
    const std::size_t before = luaL_bufflen(&text);
    add_element(lua, text, table, position);
    luaL_addlstring(&text, separator, separator_size);
    steps.add(4 + steps_for_bytes(luaL_bufflen(&text) - before));
  }
  if (position == last) add_element(lua, text, table, position);
  luaL_pushresult(&text);
  return 1;
}

int table_pack(lua_State* lua) {
  const int count = lua_gettop(lua);
  lua_createtable(lua, count, 1);
  lua_insert(lua, 1);
  for (int i = count; i >= 1; --i) lua_rawseti(lua, 1, i);
  lua_pushinteger(lua, count);
  lua_setfield(lua, 1, "n");
  return 1;
}

// Any value that can be indexed will do, as in Lua.
int table_unpack(lua_State* lua) {
  const lua_Integer first = opt_integer(lua, 2, 1);
  const lua_Integer last = lua_isnoneornil(lua, 3) ? luaL_len(lua, 1) : check_integer(lua, 3);
  if (first > last) return 0;
  const lua_Unsigned distance = as_unsigned(last) - as_unsigned(first);
  if (distance >= static_cast<lua_Unsigned>(INT_MAX) ||
      lua_checkstack(lua, static_cast<int>(distance) + 1) == 0)
    return luaL_error(lua, "too many results to unpack");
  StepCounter steps(lua);
  for (lua_Integer i = first; i < last; ++i) {
    steps.add(1);
    lua_geti(lua, 1, i);
  }
  lua_geti(lua, 1, last);
  return static_cast<int>(distance) + 1;
}

constexpr luaL_Reg kTable[] = {
    {"clear", table_clear},   {"clone", table_clone},       {"concat", table_concat},
    {"create", table_create}, {"find", table_find},         {"freeze", table_freeze},
    {"insert", table_insert}, {"isfrozen", table_isfrozen}, {"move", table_move},
    {"pack", table_pack},     {"remove", table_remove},     {"sort", table_sort},
    {"unpack", table_unpack}, {nullptr, nullptr},
};

}  // namespace

void open_table(lua_State* lua) {
  luaL_newlib(lua, kTable);
  lua_getfield(lua, -1, "unpack");
  lua_setglobal(lua, "unpack");  // where Lua 5.1 had it
  lua_setglobal(lua, "table");
}

}  // namespace heddle::script

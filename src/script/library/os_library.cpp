#include <chrono>
#include <cmath>

#include <lua.hpp>

#include "script/library/integer_argument.hpp"
#include "script/library/libraries.hpp"
#include "script/library/stock.hpp"

namespace heddle::script {
namespace {

using Clock = std::chrono::steady_clock;

// Every conversion of a format may produce a few hundred uncounted bytes.
constexpr std::size_t kMaxDateFormat = 1'000;

int os_date(lua_State* lua) {
  std::size_t size = 0;
  luaL_optlstring(lua, 1, "%c", &size);
  luaL_argcheck(lua, size <= kMaxDateFormat, 1, "format longer than 1000 bytes");
  truncate_argument(lua, 2);
  return stock_upvalue(lua)(lua);
}

constexpr const char* kDateFields[] = {"year", "month", "day", "hour", "min", "sec"};

// Copies the date at index 1, its numbers without a fraction, to a new table at index 2.
void push_whole_date(lua_State* lua) {
  lua_createtable(lua, 0, 9);
  for (const char* name : kDateFields) {
    lua_getfield(lua, 1, name);
    lua_Integer whole = 0;
    if (lua_isinteger(lua, -1) == 0 && lua_isnumber(lua, -1) != 0) {
      if (!lua_numbertointeger(std::trunc(lua_tonumber(lua, -1)), &whole))
        luaL_error(lua, "field '%s' is not an integer", name);
      lua_pushinteger(lua, whole);
      lua_replace(lua, -2);
    }
    lua_setfield(lua, 2, name);
  }
  lua_getfield(lua, 1, "isdst");
  lua_setfield(lua, 2, "isdst");
}

int os_time(lua_State* lua) {
  if (lua_isnoneornil(lua, 1)) return stock_upvalue(lua)(lua);
  luaL_checktype(lua, 1, LUA_TTABLE);
  lua_settop(lua, 1);
  push_whole_date(lua);
  lua_pushcfunction(lua, stock_upvalue(lua));
  lua_pushvalue(lua, 2);
  lua_call(lua, 1, 1);
  // Lua writes the date as it is in the calendar back to the table.
  for (lua_pushnil(lua); lua_next(lua, 2) != 0;) {
    lua_pushvalue(lua, -2);
    lua_insert(lua, -2);
    lua_settable(lua, 1);
  }
  return 1;
}

int os_difftime(lua_State* lua) {
  lua_pushnumber(lua, luaL_checknumber(lua, 1) - luaL_optnumber(lua, 2, 0));
  return 1;
}

// Seconds of the wall clock since the VM was created, as in Luau: it measures waiting, too.
int os_clock(lua_State* lua) {
  const auto* start =
      static_cast<const Clock::time_point*>(lua_touserdata(lua, lua_upvalueindex(1)));
  lua_pushnumber(lua, std::chrono::duration<lua_Number>(Clock::now() - *start).count());
  return 1;
}

void push_clock(lua_State* lua) {
  auto* start =
      static_cast<Clock::time_point*>(lua_newuserdatauv(lua, sizeof(Clock::time_point), 0));
  *start = Clock::now();
  lua_pushcclosure(lua, os_clock, 1);
}

}  // namespace

void open_os(lua_State* lua) {
  push_stock(lua, luaopen_os);
  lua_createtable(lua, 0, 4);
  push_clock(lua);
  lua_setfield(lua, -2, "clock");
  wrap_function(lua, "date", os_date);
  wrap_function(lua, "time", os_time);
  lua_pushcfunction(lua, os_difftime);
  lua_setfield(lua, -2, "difftime");
  lua_setglobal(lua, "os");
  lua_pop(lua, 1);
}

}  // namespace heddle::script

#include "script/lua/error_text.hpp"

#include <array>
#include <cstring>

#include <fmt/format.h>
#include <lua.hpp>

#include "script/lua/frozen_table.hpp"
#include "script/lua/interrupt.hpp"
#include "script/lua/vm.hpp"

namespace heddle::script {
namespace {

constexpr int kMaxFrames = 8;
constexpr int kMaxLevelsLookedAt = 64;
constexpr std::size_t kMaxMessage = 4000;

std::string function_name(const lua_Debug& frame) {
  if (std::strcmp(frame.what, "main") == 0) return "main chunk";
  if (frame.name != nullptr) return fmt::format("function '{}'", frame.name);
  return fmt::format("function at line {}", frame.linedefined);
}

// lua_tolstring would also accept a number, but convert the value in place.
std::string number_text(lua_State* lua, int index) {
  if (lua_isinteger(lua, index) != 0) return fmt::format("{}", lua_tointeger(lua, index));
  return fmt::format("{:.14g}", lua_tonumber(lua, index));
}

std::string string_text(lua_State* lua, int index) {
  std::size_t size = 0;
  const char* text = lua_tolstring(lua, index, &size);
  std::string message(text, std::min(size, kMaxMessage));
  // Luau iterates over tables; Lua needs an iterator.
  if (message.ends_with("a table value (for iterator 'for iterator')"))
    message += ": write pairs(…) or ipairs(…) around it";
  return message;
}

// error{message = "…"} and error{error = "…"} are common.
std::string table_text(lua_State* lua, int index) {
  push_contents(lua, index);
  const int contents = lua_gettop(lua);
  std::string text = "(error object is a table)";
  for (lua_pushnil(lua); lua_next(lua, contents) != 0; lua_pop(lua, 1)) {
    if (lua_type(lua, -2) != LUA_TSTRING || lua_type(lua, -1) != LUA_TSTRING) continue;
    const std::string_view key = lua_tostring(lua, -2);
    if (key != "message" && key != "error") continue;
    text = string_text(lua, -1);
    break;
  }
  lua_settop(lua, contents - 1);
  return text;
}

}  // namespace

ScriptLocation place_and_traceback(lua_State* lua) {
  ScriptLocation location;
  lua_Debug frame{};
  int frames = 0;
  for (int level = 0; level < kMaxLevelsLookedAt && lua_getstack(lua, level, &frame) != 0;
       ++level) {
    if (lua_getinfo(lua, "Sln", &frame) == 0 || frame.currentline < 0) continue;
    if (location.place.empty())
      location.place = fmt::format("{}:{}", frame.short_src, frame.currentline);
    if (++frames > kMaxFrames) {
      location.traceback += "\n  …";
      break;
    }
    location.traceback +=
        fmt::format("\n  {}:{}: in {}", frame.short_src, frame.currentline, function_name(frame));
  }
  if (frames < 2) location.traceback.clear();
  return location;
}

std::string error_text(lua_State* lua, int index) {
  switch (lua_type(lua, index)) {
    case LUA_TSTRING:
      return string_text(lua, index);
    case LUA_TNUMBER:
      return number_text(lua, index);
    case LUA_TTABLE:
      return table_text(lua, index);
    case LUA_TNIL:
      return "(error object is nil)";
    default:
      return fmt::format("(error object is a {})", luaL_typename(lua, index));
  }
}

namespace {

// "jobs/shop/tests.lua:12: …"
bool begins_with_place(std::string_view text) {
  const std::size_t line = text.substr(0, text.find_first_of(" \n")).rfind(':');
  if (line == std::string_view::npos || line < 2) return false;
  const std::size_t colon = text.rfind(':', line - 1);
  const std::string_view number = text.substr(colon + 1, line - colon - 1);
  return colon != std::string_view::npos && !number.empty() &&
         number.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

int add_traceback(lua_State* lua) {
  if (is_budget_exceeded(lua)) return 1;
  const ScriptLocation location = place_and_traceback(lua);
  std::string text = error_text(lua, 1) + location.traceback;
  // The error of a failed test must name its position even when the raised value does not.
  if (Vm::of(lua).settings().is_test && !location.place.empty() && !begins_with_place(text))
    text = location.place + ": " + text;
  lua_pushlstring(lua, text.data(), text.size());
  return 1;
}

}  // namespace heddle::script

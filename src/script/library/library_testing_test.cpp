#include "script/library/library_testing.hpp"

#include <cinttypes>
#include <cstdio>
#include <stdexcept>

#include "script/lua/stack.hpp"

namespace heddle::script {
namespace {

std::string describe(lua_State* lua, int index) {
  switch (lua_type(lua, index)) {
    case LUA_TNUMBER: {
      char text[64];
      if (lua_isinteger(lua, index) != 0)
        std::snprintf(text, sizeof text, "%" PRId64,
                      static_cast<std::int64_t>(lua_tointeger(lua, index)));
      else
        std::snprintf(text, sizeof text, "%a", lua_tonumber(lua, index));
      return text;
    }
    case LUA_TSTRING: {
      std::size_t size = 0;
      const char* data = lua_tolstring(lua, index, &size);
      return {data, size};
    }
    case LUA_TBOOLEAN:
      return lua_toboolean(lua, index) != 0 ? "true" : "false";
    case LUA_TNIL:
      return "nil";
    default:
      return is_null(lua, index) ? "null" : luaL_typename(lua, index);
  }
}

}  // namespace

TestLua TestLua::make_sandbox(JobScriptSettings settings) {
  TestLua lua;
  lua.host_ = std::make_unique<SilentHost>();
  lua.parser_ = std::make_unique<html::Parser>();
  settings.parser = lua.parser_.get();
  auto vm = Vm::make(settings, *lua.host_);
  if (!vm) throw std::runtime_error(vm.error().message);
  lua.vm_ = std::move(*vm);
  return lua;
}

TestLua TestLua::sandbox(std::size_t memory) {
  JobScriptSettings settings;
  settings.limits.memory = memory;
  return make_sandbox(std::move(settings));
}

TestLua TestLua::test_sandbox() {
  JobScriptSettings settings;
  settings.is_test = true;
  return make_sandbox(std::move(settings));
}

TestLua TestLua::stock() {
  TestLua lua;
  lua.state_.reset(luaL_newstate());
  luaL_openlibs(lua.state_.get());
  return lua;
}

std::string TestLua::run(const std::string& code) {
  if (luaL_loadbufferx(state(), code.data(), code.size(), "=test", "t") != LUA_OK) {
    std::string message = "error: " + describe(state(), -1);
    lua_pop(state(), 1);
    return message;
  }
  return finish(0);
}

std::string TestLua::call(const std::string& function, const std::vector<ScriptValue>& arguments) {
  const std::string code =
      "local same = ... return function(...) return same(" + function + "(...)) end";
  luaL_loadbufferx(state(), code.data(), code.size(), "=test", "t");
  luaL_loadstring(state(), "return ...");
  lua_call(state(), 1, 1);
  for (const ScriptValue& argument : arguments) push_value(state(), argument);
  return finish(static_cast<int>(arguments.size()));
}

std::string TestLua::finish(int arguments) {
  lua_State* lua = state();
  const int base = lua_gettop(lua) - arguments;
  const bool failed = lua_pcall(lua, arguments, LUA_MULTRET, 0) != LUA_OK;
  std::string text = failed ? "error: " : "";
  for (int i = base; i <= lua_gettop(lua); ++i) text += (i == base ? "" : "|") + describe(lua, i);
  lua_settop(lua, base - 1);
  return text;
}

std::string run_sandboxed(const std::string& code) {
  return TestLua::sandbox().run(code);
}

std::string run_in_budget(const std::string& code, std::chrono::milliseconds cpu) {
  auto lua = TestLua::sandbox();
  CallBudget budget(ScriptLimits{.cpu = cpu, .wall = std::chrono::seconds(30)});
  budget.start_clock();
  lua.vm().running.budget = &budget;
  std::string result = lua.run(code);
  lua.vm().running.budget = nullptr;
  return result;
}

}  // namespace heddle::script

// engine, env_get, log and print.
#include <string>

#include <lua.hpp>
#include <sys/utsname.h>

#include "base/text.hpp"
#include "script/library/binding_arguments.hpp"
#include "script/library/libraries.hpp"
#include "script/lua/count_steps.hpp"
#include "script/lua/guarded_table.hpp"
#include "script/lua/iterate.hpp"
#include "script/lua/lua_call.hpp"
#include "script/lua/to_text.hpp"
#include "script/lua/vm.hpp"
#include "script/marshal/fields.hpp"
#include "script/marshal/push.hpp"

namespace heddle::script {
namespace {

constexpr std::size_t kMaxLine = 65'536;

// All arguments as text with a separator, truncated to the length of a log line.
std::string line_of_arguments(lua_State* lua, std::string_view separator) {
  std::string line;
  const int count = lua_gettop(lua);
  for (int i = 1; i <= count && line.size() < kMaxLine; ++i) {
    std::size_t size = 0;
    const char* text = push_text_of(lua, i, &size);
    if (i > 1) line += separator;
    line.append(text, std::min(size, kMaxLine));
    lua_pop(lua, 1);
  }
  if (line.size() > kMaxLine) line = std::string(utf8_prefix(line, kMaxLine)) + "…";
  count_steps(lua, 2000);  // a line costs its readers more than this VM
  return line;
}

bool may_show(Vm& vm, const std::string& line) {
  return vm.running.call == nullptr || vm.running.call->log_quota().admit(line.size());
}

int log(lua_State* lua) {
  const std::string line = line_of_arguments(lua, " ");
  Vm& vm = Vm::of(lua);
  if (may_show(vm, line))
    vm.host().log(line);
  else
    vm.host().log_to_file(line);  // the file has a limit of its own
  return 0;
}

int print(lua_State* lua) {
  const std::string line = line_of_arguments(lua, "\t");
  Vm& vm = Vm::of(lua);
  if (may_show(vm, line)) vm.host().print(line);
  return 0;
}

int env_get(lua_State* lua) {
  const std::string key = BindingArguments(lua, "env_get").text(1, "key");
  const auto value = Vm::of(lua).host().env(key);
  if (value)
    push_text(lua, *value);
  else
    lua_pushnil(lua);  // not "no value": f(env_get("X")) must get its argument
  return 1;
}

int refuse_change(lua_State* lua) {
  return luaL_error(lua, "engine is read-only");
}

int iterate(lua_State* lua) {
  lua_newtable(lua);
  copy_pairs(lua, lua_upvalueindex(1), lua_gettop(lua));
  return return_iteration(lua);
}

void push_facts(lua_State* lua) {
  const JobScriptSettings& settings = Vm::of(lua).settings();
  utsname machine{};
  uname(&machine);
  lua_createtable(lua, 0, 6);
  set_text(lua, "os", to_lower_ascii(machine.sysname));
  set_text(lua, "arch", machine.machine);
  set_flag(lua, "headless", settings.is_headless);
  set_text(lua, "version", settings.version);
  set_text(lua, "lua_version", LUA_VERSION);
  set_text(lua, "storage", settings.storage);
}

// An empty proxy table, so that every write goes to the metatable.
void open_facts(lua_State* lua) {
  lua_newtable(lua);
  lua_createtable(lua, 0, 4);
  push_facts(lua);
  lua_pushvalue(lua, -1);
  lua_pushcclosure(lua, iterate, 1);
  lua_setfield(lua, -3, "__pairs");
  lua_setfield(lua, -2, "__index");
  lua_pushcfunction(lua, refuse_change);
  lua_setfield(lua, -2, "__newindex");
  set_flag(lua, "__metatable", false);
  set_guarded_metatable(lua, "engine is read-only");
  lua_setglobal(lua, "engine");
}

}  // namespace

void open_engine(lua_State* lua) {
  lua_register(lua, "log", log);
  lua_register(lua, "print", print);
  lua_register(lua, "env_get", env_get);
  open_facts(lua);
}

}  // namespace heddle::script

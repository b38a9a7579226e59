#include "script/library/bindings/data_bindings.hpp"

#include "script/library/binding_arguments.hpp"
#include "script/lua/stack.hpp"
#include "script/lua/wait.hpp"

namespace heddle::script {
namespace {

using Action = KeyValueWant::Action;

int key_value(lua_State* lua, const char* binding, Action action, bool is_global) {
  const BindingArguments arguments(lua, binding);
  KeyValueWant want;
  want.action = action;
  want.is_global = is_global;
  want.key = arguments.text(1, "key");
  if (action == Action::set) want.value = arguments.content(2, "value");
  return wait_for(lua, binding, std::move(want));
}

int store_get(lua_State* lua) {
  return key_value(lua, "store_get", Action::get, false);
}
int store_set(lua_State* lua) {
  return key_value(lua, "store_set", Action::set, false);
}
int store_delete(lua_State* lua) {
  return key_value(lua, "store_delete", Action::remove, false);
}
int global_get(lua_State* lua) {
  return key_value(lua, "global_store_get", Action::get, true);
}
int global_set(lua_State* lua) {
  return key_value(lua, "global_store_set", Action::set, true);
}
int global_delete(lua_State* lua) {
  return key_value(lua, "global_store_delete", Action::remove, true);
}

int global_increment(lua_State* lua) {
  const BindingArguments arguments(lua, "global_store_incr");
  KeyValueWant want;
  want.action = Action::increment;
  want.is_global = true;
  want.key = arguments.text(1, "key");
  want.initial = ScriptValue{std::int64_t{0}};
  want.delta = ScriptValue{std::int64_t{1}};
  for (const auto& [index, name] : {std::pair{2, "default"}, std::pair{3, "delta"}}) {
    if (!arguments.has(index)) continue;
    if (lua_type(lua, index) != LUA_TNUMBER) arguments.refuse(index, name, "a number");
    (index == 2 ? want.initial : want.delta) = read_value(lua, index);
  }
  return wait_for(lua, "global_store_incr", std::move(want));
}

bool is_scalar(const ScriptValue& value) {
  return !std::holds_alternative<List>(value.data) && !std::holds_alternative<Map>(value.data);
}

void take_parameters(lua_State* lua, const BindingArguments& arguments, SqlWant& want) {
  if (!arguments.has(2)) return;
  arguments.check_table(2, "params");
  ScriptValue params = read_value(lua, 2);
  if (auto* list = std::get_if<List>(&params.data)) want.params = std::move(*list);
  if (auto* map = std::get_if<Map>(&params.data)) want.named_params = std::move(*map);
  const char* message = "%s: params.%s must be nil, a boolean, a number or a string";
  for (std::size_t i = 0; i < want.params.size(); ++i)
    if (!is_scalar(want.params[i]))
      luaL_error(lua, message, arguments.binding(), std::to_string(i + 1).c_str());
  for (const auto& [name, value] : want.named_params)
    if (!is_scalar(value)) luaL_error(lua, message, arguments.binding(), name.c_str());
}

int sql(lua_State* lua, const char* binding, bool is_query) {
  const BindingArguments arguments(lua, binding);
  SqlWant want;
  want.is_query = is_query;
  want.sql = arguments.text(1, "sql");
  take_parameters(lua, arguments, want);
  return wait_for(lua, binding, std::move(want));
}

int db_query(lua_State* lua) {
  return sql(lua, "db_query", true);
}
int db_exec(lua_State* lua) {
  return sql(lua, "db_exec", false);
}

int file(lua_State* lua, const char* binding, FileWant::Action action) {
  const BindingArguments arguments(lua, binding);
  FileWant want;
  want.action = action;
  want.path = arguments.text(1, "path");
  if (action == FileWant::Action::append || action == FileWant::Action::overwrite)
    want.content = arguments.content(2, "content");
  return wait_for(lua, binding, std::move(want));
}

int fs_read(lua_State* lua) {
  return file(lua, "fs_read", FileWant::Action::read);
}
int fs_read_binary(lua_State* lua) {
  return file(lua, "fs_read_binary", FileWant::Action::read_binary);
}
int fs_append(lua_State* lua) {
  return file(lua, "fs_append", FileWant::Action::append);
}
int fs_overwrite(lua_State* lua) {
  return file(lua, "fs_overwrite", FileWant::Action::overwrite);
}

constexpr luaL_Reg kFunctions[] = {
    {"store_get", store_get},
    {"store_set", store_set},
    {"store_delete", store_delete},
    {"global_store_get", global_get},
    {"global_store_set", global_set},
    {"global_store_delete", global_delete},
    {"global_store_incr", global_increment},
    {"db_query", db_query},
    {"db_exec", db_exec},
    {"fs_read", fs_read},
    {"fs_read_binary", fs_read_binary},
    {"fs_append", fs_append},
    {"fs_overwrite", fs_overwrite},
    {nullptr, nullptr},
};

}  // namespace

void open_data_bindings(lua_State* lua) {
  lua_pushglobaltable(lua);
  luaL_setfuncs(lua, kFunctions, 0);
  lua_pop(lua, 1);
}

}  // namespace heddle::script

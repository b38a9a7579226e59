#include "script/lua/vm.hpp"

#include "script/library/libraries.hpp"
#include "script/lua/error_text.hpp"
#include "script/lua/interrupt.hpp"
#include "script/lua/protect.hpp"

namespace heddle::script {
namespace {

using Open = void (*)(lua_State*);
constexpr Open kLibraries[] = {open_base, open_coroutine, open_string, open_table,   open_math,
                               open_utf8, open_os,        open_bit,    open_json,    open_dump,
                               open_html, open_bindings,  open_defer,  open_require, open_engine};

// Lua looks here for the name of a function that was called without one, as by pcall: without it
// argument errors would name '?'. Scripts cannot access this table; require() finds the libraries
// in it.
void name_functions(lua_State* lua) {
  luaL_getsubtable(lua, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_pushglobaltable(lua);
  lua_setfield(lua, -2, LUA_GNAME);
  for (const char* library :
       {"string", "table", "math", "utf8", "coroutine", "os", "bit32", "bit", "html"}) {
    lua_getglobal(lua, library);
    lua_setfield(lua, -2, library);
  }
  lua_pop(lua, 1);
}

}  // namespace

Vm::Vm(const JobScriptSettings& settings, VmHost& host)
    : settings_(settings), host_(host), allocator_(settings.limits.memory) {}

Vm::~Vm() {
  running = {};
  allocator_.never_fail();
}

Result<std::unique_ptr<Vm>> Vm::make(const JobScriptSettings& settings, VmHost& host) {
  auto vm = std::make_unique<Vm>(settings, host);
  auto opened = vm->open();
  if (!opened) return std::move(opened).error();
  return vm;
}

Status Vm::open() {
  state_.reset(lua_newstate(LuaAllocator::reallocate, &allocator_));
  if (!state_) return Error{ErrorCode::script_failed, "not enough memory for a Lua VM"};
  lua_State* lua = state_.get();
  *static_cast<Vm**>(lua_getextraspace(lua)) = this;
  install_interrupt(lua);
  allocator_.set_observer(this);
  const int status = protect(lua, [this](lua_State* inner) {
    for (const Open open_library : kLibraries) {
      open_library(inner);
      lua_settop(inner, 0);
    }
    if (settings_.is_test) open_test(inner);
    name_functions(inner);
    return 0;
  });
  if (status == LUA_OK) return Done{};
  Error error{ErrorCode::script_failed, error_text(lua, -1)};
  lua_settop(lua, 0);
  return error;
}

void Vm::on_pressure() {
  if (running.thread != nullptr) interrupt_soon(running.thread);
}

bool Vm::may_continue() {
  return running.budget == nullptr || running.budget->check() != CallBudget::Verdict::terminate;
}

}  // namespace heddle::script

#include "script/lua/lua_thread_pool.hpp"

#include <lua.hpp>

#include "script/lua/protect.hpp"

namespace heddle::script {
namespace {

constexpr std::size_t kMaxIdle = 64;

}  // namespace

lua_State* LuaThreadPool::acquire(lua_State* main) {
  if (!idle_.empty()) {
    lua_State* thread = idle_.back();
    idle_.pop_back();
    return thread;
  }
  lua_State* made = nullptr;
  int reference = LUA_NOREF;
  const int status = protect(main, [&](lua_State* lua) {
    made = lua_newthread(lua);
    reference = luaL_ref(lua, LUA_REGISTRYINDEX);
    return 0;
  });
  if (status != LUA_OK) {
    lua_pop(main, 1);
    return nullptr;
  }
  references_.emplace(made, reference);
  return made;
}

void LuaThreadPool::release(lua_State* main, lua_State* thread) {
  if (idle_.size() < kMaxIdle) {
    idle_.push_back(thread);
    return;
  }
  const auto found = references_.find(thread);
  luaL_unref(main, LUA_REGISTRYINDEX, found->second);
  references_.erase(found);
}

}  // namespace heddle::script

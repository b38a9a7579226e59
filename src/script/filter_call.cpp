#include "script/filter_call.hpp"

#include <fmt/format.h>

#include "script/cycle_context.hpp"
#include "script/lua/error_text.hpp"
#include "script/lua/interrupt.hpp"
#include "script/marshal/items.hpp"

namespace heddle::script {
namespace {

// The call's stack: message handler, function, ctx, and temporary values above.
constexpr int kHandler = 1;
constexpr int kFunction = 2;
constexpr int kContext = 3;

}  // namespace

FilterCall::FilterCall(Vm& vm, int function, const CycleContext& context,
                       const JobScript::Items& items)
    : LuaCall(vm, "filter_item", &context), function_(function), cycle_(context), items_(items) {
  filtered_.kept.reserve(items_.size());
  prepare([this](lua_State* lua) {
    lua_pushcfunction(lua, start);
    lua_pushlightuserdata(lua, this);
    return 2;
  });
}

HookResult<FilteredItems> FilterCall::take() {
  HookResult<FilteredItems> result;
  result.error = std::move(error());
  result.exceeded_budget = budget().is_exceeded();
  if (!result.error) result.value = std::move(filtered_);
  if (failures_ > 0)
    result.partial_failure =
        fmt::format("failed for {} of {} items: {}", failures_, items_.size(), first_failure_);
  return result;
}

int FilterCall::start(lua_State* lua) {
  auto* self = static_cast<FilterCall*>(lua_touserdata(lua, 1));
  lua_settop(lua, 0);
  lua_pushcfunction(lua, add_traceback);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, self->function_);
  self->cycle_.push(lua);
  return self->filter_rest(lua);
}

int FilterCall::continue_item(lua_State* lua, int status, lua_KContext /*context*/) {
  auto* call = static_cast<FilterCall*>(Vm::of(lua).running.call);
  call->finish_item(lua, status == LUA_YIELD ? LUA_OK : status);
  return call->filter_rest(lua);
}

int FilterCall::filter_rest(lua_State* lua) {
  while (next_ < items_.size()) finish_item(lua, call_hook(lua));
  return 0;
}

int FilterCall::call_hook(lua_State* lua) {
  if (next_ > 0) budget().restart();
  log_quota().reset_lines();
  lua_pushvalue(lua, kFunction);
  push_item(lua, items_[next_]);
  lua_pushvalue(lua, kContext);
  return lua_pcallk(lua, 2, 1, kHandler, 0, continue_item);
}

void FilterCall::finish_item(lua_State* lua, int status) {
  const bool is_exceeded = is_budget_exceeded(lua);
  if (status == LUA_OK)
    keep_returned(lua);
  else if (!is_exceeded)
    take_failed(error_text(lua, -1));
  lua_settop(lua, kContext);
  ++next_;
  if (!defers().is_empty()) defers().run(lua, name());
  if (is_exceeded) raise_budget_error(lua);
}

void FilterCall::keep_returned(lua_State* lua) {
  Item& item = items_[next_];
  switch (lua_type(lua, -1)) {
    case LUA_TBOOLEAN:
      if (lua_toboolean(lua, -1) != 0) filtered_.kept.push_back(std::move(item));
      return;
    case LUA_TNIL:
      return;
    case LUA_TTABLE:
      break;
    default:  // true in a condition, so the item is kept
      vm().host().warn(
          fmt::format("filter_item: item {}: filter_item must return an item table, true, false or "
                      "nil (got {})",
                      next_ + 1, luaL_typename(lua, -1)));
      filtered_.kept.push_back(std::move(item));
      return;
  }
  const auto read = [&](lua_State* inner) {
    filtered_.kept.push_back(read_item(inner, 1, item, ItemOrigin::engine, "what it returned"));
    return 0;
  };
  if (protect(lua, read, 1) != LUA_OK) take_failed(error_text(lua, -1));
}

void FilterCall::take_failed(const std::string& message) {
  vm().host().warn(fmt::format("filter_item: item {}: {}", next_ + 1, message));
  if (failures_++ == 0) first_failure_ = message;
  auto& list = vm().settings().keeps_failed_items ? filtered_.kept : filtered_.held_back;
  list.push_back(std::move(items_[next_]));
}

}  // namespace heddle::script

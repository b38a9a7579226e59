#include <cmath>

#include "script/library/binding_arguments.hpp"
#include "script/library/bindings/data_bindings.hpp"
#include "script/library/bindings/http_bindings.hpp"
#include "script/library/libraries.hpp"
#include "script/lua/wait.hpp"

namespace heddle::script {
namespace {

constexpr double kDayInMilliseconds = 24 * 3600 * 1000.0;

int sleep(lua_State* lua) {
  const BindingArguments arguments(lua, "sleep");
  SleepWant want;
  want.duration = std::chrono::milliseconds(
      std::llround(std::ceil(arguments.number(1, "ms", 0, kDayInMilliseconds))));
  return wait_for(lua, "sleep", want);
}

int notify(lua_State* lua) {
  const BindingArguments arguments(lua, "notify");
  NotifyWant want;
  want.title = arguments.content(1, "title");
  if (arguments.has(2)) want.body = arguments.content(2, "body");
  if (arguments.has(3))
    want.timeout = std::chrono::milliseconds(
        std::llround(arguments.number(3, "timeout_ms", 0, kDayInMilliseconds)));
  return wait_for(lua, "notify", std::move(want));
}

}  // namespace

void open_bindings(lua_State* lua) {
  open_http_bindings(lua);
  open_data_bindings(lua);
  lua_register(lua, "sleep", sleep);
  lua_register(lua, "notify", notify);
}

}  // namespace heddle::script

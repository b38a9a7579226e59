// Parses any bytes as JSON: a value or an error with its position; a value stays the same when it
// is written and read again.
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <lua.hpp>

#include "script/library/json/json_reader.hpp"
#include "script/library/json/json_writer.hpp"
#include "script/lua/vm.hpp"
#include "script/silent_host.hpp"

namespace heddle::script {
namespace {

void require(bool is_true) {
  if (!is_true) std::abort();
}

struct Input {
  std::string_view text;
};

// A lua_CFunction, because reading and writing may raise.
int try_json(lua_State* lua) {
  const auto& input = *static_cast<const Input*>(lua_touserdata(lua, 1));
  const std::string error = push_json(lua, input.text);
  if (!error.empty()) {
    require(lua_gettop(lua) == 1 && error.find(" at ") != std::string::npos);
    return 0;
  }
  require(lua_gettop(lua) == 2);
  const std::string once = to_json(lua, 2);
  require(push_json(lua, once).empty());
  require(to_json(lua, 3) == once);
  return 0;
}

}  // namespace
}  // namespace heddle::script

// NOLINTNEXTLINE(readability-identifier-naming): the name libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heddle::script;
  static SilentHost host;
  static const auto vm = std::move(*Vm::make({}, host));
  Input input{{reinterpret_cast<const char*>(data), size}};
  lua_State* lua = vm->main();
  lua_settop(lua, 0);
  lua_pushcfunction(lua, try_json);
  lua_pushlightuserdata(lua, &input);
  if (lua_pcall(lua, 1, 0, 0) != LUA_OK) std::abort();
  return 0;
}

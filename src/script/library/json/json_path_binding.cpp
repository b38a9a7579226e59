#include "script/library/json/json_path_binding.hpp"

#include <string>

#include <fmt/format.h>
#include <lua.hpp>

#include "pages/json_path/json_path.hpp"
#include "script/library/json/json_limits.hpp"
#include "script/library/json/json_reader.hpp"
#include "script/library/json/json_writer.hpp"
#include "script/lua/stack.hpp"
#include "script/lua/step_counter.hpp"

namespace heddle::script {
namespace {

constexpr std::size_t kMaxPathBytes = 10'000;
// Parsing and selecting take long enough to read the clock each time.
constexpr std::uint64_t kStepsOfLook = 20'000;

std::string json_text_of(lua_State* lua) {
  if (lua_type(lua, 1) != LUA_TSTRING) return to_json(lua, 1);
  std::size_t size = 0;
  const char* data = lua_tolstring(lua, 1, &size);
  return {data, size};
}

// The selected values as one JSON array, or why there is none.
Result<std::string> select_as_json(std::string json, std::string_view query) {
  if (json.size() > kMaxJsonBytes)
    return Error{ErrorCode::bad_input, "json_path: the JSON text is larger than 10 MB"};
  auto path = pages::JsonPath::compile(query);
  if (!path) return std::move(path).error();
  const auto document = pages::JsonDocument::parse(std::move(json));
  if (!document) return Error{ErrorCode::bad_input, "json_path: " + document.error().message};
  const auto found = pages::evaluate(*path, *document);
  if (!found) return found.error();
  std::string out = "[";
  for (const pages::JsonId id : *found) {
    if (out.size() > 1) out += ',';
    append_json(*document, id, out);
    if (out.size() > kMaxJsonBytes)
      return Error{ErrorCode::bad_input, "json_path: the selected values are larger than 10 MB"};
  }
  return out + "]";
}

}  // namespace

int json_path(lua_State* lua) {
  luaL_checkany(lua, 1);
  std::size_t size = 0;
  const char* query = luaL_checklstring(lua, 2, &size);
  luaL_argcheck(lua, size <= kMaxPathBytes, 2, "path longer than 10000 bytes");
  std::string json = json_text_of(lua);
  count_steps(lua, 1 + json.size() / 4);
  const auto selected = select_as_json(std::move(json), {query, size});
  count_steps(lua, kStepsOfLook);
  if (!selected) return luaL_error(lua, "%s", selected.error().message.c_str());
  if (const std::string error = push_json(lua, *selected); !error.empty())
    return luaL_error(lua, "json_path: %s", error.c_str());
  return 1;
}

}  // namespace heddle::script

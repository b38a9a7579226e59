#include "script/library/compare.hpp"

#include <set>
#include <utility>

#include <fmt/format.h>
#include <lua.hpp>

#include "base/text.hpp"
#include "script/lua/count_steps.hpp"
#include "script/lua/frozen_table.hpp"
#include "script/lua/to_text.hpp"
#include "script/marshal/fields.hpp"

namespace heddle::script {
namespace {

constexpr std::size_t kMaxShown = 120;
constexpr int kMaxLevels = 100;

bool is_plain_name(std::string_view text) {
  if (text.empty() || (text[0] >= '0' && text[0] <= '9')) return false;
  for (const char c : text)
    if (c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z'))
      return false;
  return true;
}

class Comparer {
 public:
  explicit Comparer(lua_State* lua) : lua_(lua) {}

  // Indices are absolute.
  std::string compare(int left, int right, const std::string& path, int level) {
    count_steps(lua_, 10);
    if (lua_rawequal(lua_, left, right) != 0) return {};
    if (!lua_istable(lua_, left) || !lua_istable(lua_, right)) return unequal(left, right, path);
    if (level > kMaxLevels) luaL_error(lua_, "tables of more than %d levels", kMaxLevels);
    // A pair that is being compared further out is equal unless something else differs.
    if (!open_.emplace(lua_topointer(lua_, left), lua_topointer(lua_, right)).second) return {};
    luaL_checkstack(lua_, 8, "tables nested too deeply");
    const int top = lua_gettop(lua_);
    push_contents(lua_, left);
    push_contents(lua_, right);
    std::string difference = compare_pairs(top + 1, top + 2, path, level);
    if (difference.empty()) difference = find_missing(top + 2, top + 1, path);
    lua_settop(lua_, top);
    return difference;
  }

 private:
  std::string unequal(int left, int right, const std::string& path) {
    const std::string where = path.empty() ? "" : path + ": ";
    const bool same_type = lua_type(lua_, left) == lua_type(lua_, right);
    const auto show = [&](int index) {
      const std::string text = short_text(lua_, index);
      return same_type ? text : fmt::format("{} ({})", text, luaL_typename(lua_, index));
    };
    return fmt::format("{}{} is not {}", where, show(left), show(right));
  }

  std::string compare_pairs(int left, int right, const std::string& path, int level) {
    for (lua_pushnil(lua_); lua_next(lua_, left) != 0; lua_pop(lua_, 1)) {
      const int value = lua_gettop(lua_);
      lua_pushvalue(lua_, -2);
      lua_rawget(lua_, right);
      std::string difference = compare(value, value + 1, extended(path, value - 1), level + 1);
      lua_settop(lua_, value);
      if (difference.empty()) continue;
      lua_settop(lua_, value - 2);
      return difference;
    }
    return {};
  }

  // A key of `from` that `in` has not.
  std::string find_missing(int from, int in, const std::string& path) {
    for (lua_pushnil(lua_); lua_next(lua_, from) != 0; lua_pop(lua_, 1)) {
      const int value = lua_gettop(lua_);
      lua_pushvalue(lua_, -2);
      const bool is_missing = lua_rawget(lua_, in) == LUA_TNIL;
      std::string difference;
      if (is_missing) difference = unequal(value + 1, value, extended(path, value - 1));
      lua_settop(lua_, value);
      if (!is_missing) continue;
      lua_settop(lua_, value - 2);
      return difference;
    }
    return {};
  }

  std::string extended(const std::string& path, int key) {
    if (lua_type(lua_, key) == LUA_TSTRING && is_plain_name(bytes_at(lua_, key)))
      return path + (path.empty() ? "" : ".") + std::string(bytes_at(lua_, key));
    return fmt::format("{}[{}]", path, short_text(lua_, key));
  }

  lua_State* lua_;
  std::set<std::pair<const void*, const void*>> open_;
};

}  // namespace

std::string first_difference(lua_State* lua, int left, int right) {
  return Comparer(lua).compare(lua_absindex(lua, left), lua_absindex(lua, right), "", 0);
}

std::string short_text(lua_State* lua, int index) {
  std::size_t size = 0;
  const bool is_string = lua_type(lua, index) == LUA_TSTRING;
  const char* bytes = push_text_of(lua, index, &size);
  std::string text(utf8_prefix({bytes, size}, kMaxShown));
  if (text.size() < size) text += "…";
  lua_pop(lua, 1);
  return is_string ? '"' + text + '"' : text;
}

}  // namespace heddle::script

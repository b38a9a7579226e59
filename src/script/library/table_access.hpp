// TableAccess is a table argument of a library function: checked as in Lua, fast for plain ones.
#pragma once

#include <lua.hpp>

namespace heddle::script {

// What a function does with its argument; a value other than a table needs a metamethod for each.
inline constexpr unsigned kReads = 1;
inline constexpr unsigned kWrites = 2;
inline constexpr unsigned kMeasures = 4;

// A table, or a value that behaves like one, at a fixed stack index.
class TableAccess {
 public:
  // Raises "table expected" for anything that does not behave like a table.
  TableAccess(lua_State* lua, int index, unsigned uses);

  [[nodiscard]] lua_Integer length() const {
    return is_plain_ ? static_cast<lua_Integer>(lua_rawlen(lua_, index_)) : luaL_len(lua_, index_);
  }
  // Pushes the element.
  void get(lua_Integer position) const { lua_geti(lua_, index_, position); }
  // Pops the element.
  void set(lua_Integer position) const { lua_seti(lua_, index_, position); }

 private:
  lua_State* lua_;
  int index_;
  bool is_plain_;  // a table without a __len metamethod
};

}  // namespace heddle::script

// A table argument of a library function: checked as Lua does, measured fast when it is plain.
#pragma once

#include <lua.hpp>

namespace heddle::script {

// What a function does with its argument; what is no table must have a metamethod for each.
inline constexpr unsigned kReads = 1;
inline constexpr unsigned kWrites = 2;
inline constexpr unsigned kMeasures = 4;

// A table, or something that behaves like one, at a fixed place of the stack.
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
  bool is_plain_;  // a table whose length no metamethod tells
};

}  // namespace heddle::script

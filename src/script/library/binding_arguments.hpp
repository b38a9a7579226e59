// BindingArguments checks the arguments of a binding, with errors that name both:
// "http_get: url must be a string (got nil)". Its functions raise on a wrong type.
#pragma once

#include <cstdint>
#include <string>

#include <lua.hpp>

namespace heddle::script {

class BindingArguments {
 public:
  BindingArguments(lua_State* lua, const char* binding) : lua_(lua), binding_(binding) {}

  [[nodiscard]] bool has(int index) const { return !lua_isnoneornil(lua_, index); }
  [[nodiscard]] std::string text(int index, const char* name) const;  // a string, not empty
  // A string, perhaps empty, or a number.
  [[nodiscard]] std::string content(int index, const char* name) const;
  [[nodiscard]] double number(int index, const char* name, double lowest, double highest) const;
  void check_table(int index, const char* name) const;
  [[noreturn]] void refuse(int index, const char* name, const char* wanted) const;

  [[nodiscard]] const char* binding() const { return binding_; }

 private:
  lua_State* lua_;
  const char* binding_;
};

}  // namespace heddle::script

// Helpers that fill the table on top of the stack. All functions may raise.
#pragma once

#include <string_view>

#include "model/web/fetch.hpp"

struct lua_State;

namespace heddle::script {

void set_text(lua_State* lua, const char* field, std::string_view text);
// As an integer when it is a whole number.
void set_number(lua_State* lua, const char* field, double number);
void set_flag(lua_State* lua, const char* field, bool flag);

void push_text(lua_State* lua, std::string_view text);
void push_headers(lua_State* lua, const Headers& headers);

}  // namespace heddle::script

#include "script/marshal/fields.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "script/lua/frozen_table.hpp"
#include "script/lua/number_text.hpp"

namespace heddle::script {

namespace {

constexpr std::size_t kMaxRequestHeaders = 200;
constexpr std::size_t kMaxRequestHeaderBytes = 65536;

}  // namespace

int push_field(lua_State* lua, int table, const char* name) {
  push_contents(lua, table);
  lua_pushstring(lua, name);
  const int type = lua_rawget(lua, -2);
  lua_remove(lua, -2);
  replace_by_contents(lua, -1);
  return type;
}

FieldReader::FieldReader(lua_State* lua, int table, std::string owner)
    : lua_(lua), table_(lua_absindex(lua, table)), owner_(std::move(owner)) {}

std::optional<std::string> FieldReader::text(const char* name) const {
  const int type = push_field(lua_, table_, name);
  if (type != LUA_TNIL && type != LUA_TSTRING && type != LUA_TNUMBER)
    refuse(name, "a string", type);
  std::optional<std::string> text;
  if (type != LUA_TNIL) text = text_at(lua_, -1);
  lua_pop(lua_, 1);
  return text;
}

std::optional<double> FieldReader::number(const char* name) const {
  const int type = push_field(lua_, table_, name);
  if (type == LUA_TNIL) {
    lua_pop(lua_, 1);
    return std::nullopt;
  }
  if (lua_isnumber(lua_, -1) == 0) refuse(name, "a number", type);
  const double number = lua_tonumber(lua_, -1);
  lua_pop(lua_, 1);
  return number;
}

std::optional<Headers> FieldReader::headers(const char* name) const {
  return headers_by(name, read_headers);
}

std::optional<Headers> FieldReader::request_headers(const char* name) const {
  return headers_by(name, read_request_headers);
}

std::optional<Headers> FieldReader::headers_by(const char* name, ReadHeaders read) const {
  const int type = push_field(lua_, table_, name);
  if (type != LUA_TNIL && type != LUA_TTABLE) refuse(name, "a table of name -> string", type);
  std::optional<Headers> headers;
  if (type == LUA_TTABLE) headers = read(lua_, -1, owner_ + "." + name);
  lua_pop(lua_, 1);
  return headers;
}

void FieldReader::refuse(const char* name, const char* wanted, int type) const {
  luaL_error(lua_, "%s.%s must be %s (got %s)", owner_.c_str(), name, wanted,
             lua_typename(lua_, type));
  std::abort();  // luaL_error does not return
}

std::string text_at(lua_State* lua, int index) {
  if (lua_type(lua, index) == LUA_TSTRING) return std::string(bytes_at(lua, index));
  std::size_t size = 0;
  const char* bytes = push_number_text(lua, index, &size);
  std::string text(bytes, size);
  lua_pop(lua, 1);
  return text;
}

std::string_view bytes_at(lua_State* lua, int index) {
  std::size_t size = 0;
  const char* bytes = lua_tolstring(lua, index, &size);
  return {bytes, size};
}

Headers read_headers(lua_State* lua, int index, const std::string& owner) {
  push_contents(lua, index);
  const int contents = lua_gettop(lua);
  Headers headers;
  for (lua_pushnil(lua); lua_next(lua, contents) != 0; lua_pop(lua, 1)) {
    if (lua_type(lua, -2) != LUA_TSTRING)
      luaL_error(lua, "%s must be a table of name -> string (it has a %s as key)", owner.c_str(),
                 luaL_typename(lua, -2));
    const std::string_view name = bytes_at(lua, -2);
    if (lua_isstring(lua, -1) == 0)
      luaL_error(lua, "%s[\"%s\"] must be a string (got %s)", owner.c_str(), name.data(),
                 luaL_typename(lua, -1));
    headers.emplace_back(name, text_at(lua, -1));
  }
  lua_pop(lua, 1);
  std::sort(headers.begin(), headers.end());
  return headers;
}

Headers read_request_headers(lua_State* lua, int index, const std::string& owner) {
  Headers headers = read_headers(lua, index, owner);
  std::size_t bytes = 0;
  for (const auto& [name, value] : headers) bytes += name.size() + value.size();
  if (headers.size() > kMaxRequestHeaders)
    luaL_error(lua, "%s: %d of them, at most %d can be sent", owner.c_str(),
               static_cast<int>(headers.size()), static_cast<int>(kMaxRequestHeaders));
  if (bytes > kMaxRequestHeaderBytes)
    luaL_error(lua, "%s: more than %d bytes together", owner.c_str(),
               static_cast<int>(kMaxRequestHeaderBytes));
  return headers;
}

}  // namespace heddle::script

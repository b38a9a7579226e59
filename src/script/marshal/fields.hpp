// Reads named fields of a table from a script, bypassing metamethods, with errors that name the
// field. All functions may raise.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <lua.hpp>

#include "model/web/fetch.hpp"

namespace heddle::script {

// Pushes table[name], raw, and returns its type. Of a frozen table it pushes the contents.
int push_field(lua_State* lua, int table, const char* name);

// The table is called `owner` in messages: "request.url must be a string (got number)".
class FieldReader {
 public:
  FieldReader(lua_State* lua, int table, std::string owner);

  // Numbers become text. nullopt when absent.
  [[nodiscard]] std::optional<std::string> text(const char* name) const;
  [[nodiscard]] std::optional<double> number(const char* name) const;
  // A table of name -> text.
  [[nodiscard]] std::optional<Headers> headers(const char* name) const;
  [[nodiscard]] std::optional<Headers> request_headers(const char* name) const;

  [[noreturn]] void refuse(const char* name, const char* wanted, int type) const;

 private:
  using ReadHeaders = Headers (*)(lua_State*, int, const std::string&);
  std::optional<Headers> headers_by(const char* name, ReadHeaders read) const;

  lua_State* lua_;
  int table_;
  std::string owner_;
};

// The text of a string, or of a number as tostring() writes it, without changing the value.
std::string text_at(lua_State* lua, int index);
// The bytes of a string; valid while it is on the stack.
std::string_view bytes_at(lua_State* lua, int index);

// A table of name -> string or number at the index; sorted by name.
Headers read_headers(lua_State* lua, int index, const std::string& owner);
// The same for request headers, limited to what servers and libcurl accept.
Headers read_request_headers(lua_State* lua, int index, const std::string& owner);

}  // namespace heddle::script

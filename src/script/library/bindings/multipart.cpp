#include "script/library/bindings/multipart.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <lua.hpp>

#include "base/hash.hpp"
#include "script/lua/frozen_table.hpp"
#include "script/marshal/fields.hpp"

namespace heddle::script {
namespace {

// Escaped as in browsers.
std::string quoted(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"')
      out += "%22";
    else if (c == '\r')
      out += "%0D";
    else if (c == '\n')
      out += "%0A";
    else
      out += c;
  }
  return out;
}

// A line break in a content type would start another header.
std::string on_one_line(std::string text) {
  std::erase_if(text, [](char c) { return c == '\r' || c == '\n'; });
  return text;
}

MultipartPart read_file_part(lua_State* lua, const std::string& name, const char* binding) {
  const FieldReader fields(lua, -1, fmt::format("{}: fields.{}", binding, name));
  auto content = fields.text("content");
  if (!content) content = fields.text("data");
  if (!content) luaL_error(lua, "%s: fields.%s.content is missing", binding, name.c_str());
  MultipartPart part{name, std::move(*content), fields.text("filename").value_or("file")};
  part.content_type = fields.text("content_type").value_or("application/octet-stream");
  return part;
}

std::string find_boundary(const std::vector<MultipartPart>& parts) {
  ListHasher hasher;
  for (const MultipartPart& part : parts) {
    hasher.add(part.name);
    hasher.add(part.content);
  }
  std::string boundary = "heddle-" + hasher.finish().hex();
  const auto occurs = [&](const MultipartPart& part) {
    return part.content.find(boundary) != std::string::npos;
  };
  while (std::any_of(parts.begin(), parts.end(), occurs))
    boundary = "heddle-" + hash128(boundary).hex();
  return boundary;
}

}  // namespace

std::vector<MultipartPart> read_parts(lua_State* lua, int index, const char* binding) {
  std::vector<MultipartPart> parts;
  replace_by_contents(lua, index);
  for (lua_pushnil(lua); lua_next(lua, index) != 0; lua_pop(lua, 1)) {
    if (lua_type(lua, -2) != LUA_TSTRING)
      luaL_error(lua, "%s: fields must be a table of names (it has a %s as key)", binding,
                 luaL_typename(lua, -2));
    const std::string name(bytes_at(lua, -2));
    if (lua_type(lua, -1) == LUA_TTABLE) {
      parts.push_back(read_file_part(lua, name, binding));
    } else if (lua_isstring(lua, -1) != 0) {
      parts.push_back({name, text_at(lua, -1)});
    } else {
      luaL_error(lua, "%s: fields.%s must be a string or a table with content (got %s)", binding,
                 name.c_str(), luaL_typename(lua, -1));
    }
  }
  std::sort(parts.begin(), parts.end(),
            [](const MultipartPart& a, const MultipartPart& b) { return a.name < b.name; });
  return parts;
}

MultipartBody make_multipart(const std::vector<MultipartPart>& parts) {
  const std::string boundary = find_boundary(parts);
  MultipartBody multipart{"multipart/form-data; boundary=" + boundary, {}};
  std::string& body = multipart.body;
  for (const MultipartPart& part : parts) {
    body += fmt::format("--{}\r\nContent-Disposition: form-data; name=\"{}\"", boundary,
                        quoted(part.name));
    if (!part.file_name.empty())
      body += fmt::format("; filename=\"{}\"\r\nContent-Type: {}", quoted(part.file_name),
                          on_one_line(part.content_type));
    body += "\r\n\r\n";
    body += part.content;
    body += "\r\n";
  }
  body += fmt::format("--{}--\r\n", boundary);
  return multipart;
}

}  // namespace heddle::script

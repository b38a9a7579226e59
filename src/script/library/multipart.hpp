// multipart/form-data bodies for http_multipart.
#pragma once

#include <string>
#include <vector>

struct lua_State;

namespace heddle::script {

struct Part {
  std::string name;
  std::string content;
  std::string file_name{};     // empty: an ordinary field
  std::string content_type{};  // of a file
};

struct Multipart {
  std::string content_type;  // with the boundary
  std::string body;
};

// The table at the index: name -> string, or name -> {filename=, content=, content_type=}. In the
// order of names. May raise; messages begin with the binding's name.
std::vector<Part> read_parts(lua_State* lua, int index, const char* binding);

// Pure. The boundary follows from the parts, so equal parts give equal bodies.
Multipart make_multipart(const std::vector<Part>& parts);

}  // namespace heddle::script

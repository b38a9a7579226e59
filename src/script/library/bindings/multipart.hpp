// Builds multipart/form-data bodies for http_multipart.
#pragma once

#include <string>
#include <vector>

struct lua_State;

namespace heddle::script {

struct MultipartPart {
  std::string name;
  std::string content;
  std::string file_name{};     // empty: an ordinary field
  std::string content_type{};  // of a file
};

struct MultipartBody {
  std::string content_type;  // with the boundary
  std::string body;
};

// Reads the table at the index: name -> string, or name -> {filename=, content=, content_type=}.
// Sorted by name. May raise; messages begin with the binding's name.
std::vector<MultipartPart> read_parts(lua_State* lua, int index, const char* binding);

// Pure. The boundary follows from the parts, so equal parts give equal bodies.
MultipartBody make_multipart(const std::vector<MultipartPart>& parts);

}  // namespace heddle::script

// Converts items and errors to and from the JSON text stored in the database. Pure. Bytes that are
// not UTF-8 become U+FFFD, so stored text is always valid JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/run/item.hpp"
#include "model/run/run.hpp"

namespace heddle::store {

// {"title":"…","link":"…"} in field order.
void append_json_object(std::string& out, const std::vector<Field>& fields);
// ["…","…"]
void append_json_array(std::string& out, const std::vector<std::string>& texts);
std::string errors_to_json(const std::vector<RunError>& errors);

// Skips what does not fit (a damaged file); never fails.
std::vector<Field> fields_from_json(std::string_view json);
std::vector<std::string> texts_from_json(std::string_view json);
std::vector<RunError> errors_from_json(std::string_view json);
bool is_json_object(std::string_view json);

}  // namespace heddle::store

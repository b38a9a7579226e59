#include "store/sqlite/tables/json_text.hpp"

#include <boost/json.hpp>

#include "model/json.hpp"

namespace heddle::store {

namespace json = boost::json;

namespace {

// Boost.JSON's defaults and SQLite's limits bound depth and size.
json::value parse(std::string_view text) {
  json::error_code failure;
  json::value value = json::parse({text.data(), text.size()}, failure);
  return failure ? json::value() : value;
}

std::string text_of(const json::value& value) {
  if (const auto* text = value.if_string()) return {text->data(), text->size()};
  return {};
}

std::string member(const json::object& object, std::string_view name) {
  const auto* value = object.if_contains({name.data(), name.size()});
  return value != nullptr ? text_of(*value) : std::string();
}

}  // namespace

void append_json_object(std::string& out, const std::vector<Field>& fields) {
  out += '{';
  for (const Field& field : fields) {
    if (&field != &fields.front()) out += ',';
    append_json_string(out, field.first);
    out += ':';
    append_json_string(out, field.second);
  }
  out += '}';
}

void append_json_array(std::string& out, const std::vector<std::string>& texts) {
  out += '[';
  for (const std::string& text : texts) {
    if (&text != &texts.front()) out += ',';
    append_json_string(out, text);
  }
  out += ']';
}

std::string errors_to_json(const std::vector<RunError>& errors) {
  std::string out = "[";
  for (const RunError& error : errors) {
    if (&error != &errors.front()) out += ',';
    append_json_object(out, {{"kind", std::string(to_text(error.kind))},
                             {"message", error.message},
                             {"url", error.url}});
  }
  return out + "]";
}

std::vector<Field> fields_from_json(std::string_view text) {
  std::vector<Field> fields;
  const json::value value = parse(text);
  if (const auto* object = value.if_object())
    for (const auto& [name, content] : *object)
      fields.emplace_back(std::string(name.data(), name.size()), text_of(content));
  return fields;
}

std::vector<std::string> texts_from_json(std::string_view text) {
  std::vector<std::string> texts;
  const json::value value = parse(text);
  if (const auto* array = value.if_array())
    for (const auto& element : *array) texts.push_back(text_of(element));
  return texts;
}

std::vector<RunError> errors_from_json(std::string_view text) {
  std::vector<RunError> errors;
  const json::value value = parse(text);
  if (const auto* array = value.if_array())
    for (const auto& element : *array)
      if (const auto* object = element.if_object())
        errors.push_back({error_kind_from(member(*object, "kind")), member(*object, "message"),
                          member(*object, "url")});
  return errors;
}

bool is_json_object(std::string_view text) {
  return parse(text).is_object();
}

}  // namespace heddle::store

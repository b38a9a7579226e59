#include <string>

#include <boost/json.hpp>

#include "base/text.hpp"
#include "config/explain.hpp"
#include "config/key_table.hpp"
#include "config/read/values/quantity.hpp"

namespace heddle::config {

namespace json = boost::json;

namespace {

json::object reference(std::string_view name) {
  return {{"$ref", "#/$defs/" + std::string(name)}};
}

json::object array_of(json::value items) {
  return {{"type", "array"}, {"items", std::move(items)}};
}

json::object any_of(json::array choices) {
  return {{"anyOf", std::move(choices)}};
}

// Numbers and the like may also come from ${env:…} or {{…}}.
json::object or_filled(json::object plain) {
  return any_of({std::move(plain), reference("filled")});
}

void add_range(json::object& schema, const Key& key) {
  const KeyRange range = range_of(key);
  if (const auto least = parse_integer(range.least)) schema["minimum"] = *least;
  if (const auto most = parse_integer(range.most)) schema["maximum"] = *most;
}

json::object number_schema(const Key& key, std::string_view type) {
  json::object schema{{"type", type}};
  add_range(schema, key);
  json::object out = or_filled(std::move(schema));
  if (key.preset == "off") out["anyOf"].as_array().push_back(json::object{{"const", "off"}});
  return out;
}

json::object word_schema(const Key& key) {
  json::array words;
  for (const std::string_view word : words_of(key)) words.emplace_back(word);
  if (key.preset == "off") words.emplace_back("off");
  return or_filled({{"enum", std::move(words)}});
}

json::object scalar_schema(const Key& key) {
  switch (key.type) {
    case KeyType::boolean:
      return or_filled({{"type", "boolean"}});
    case KeyType::integer:
      return number_schema(key, "integer");
    case KeyType::number:
      return number_schema(key, "number");
    case KeyType::word:
      return word_schema(key);
    case KeyType::duration:
    case KeyType::milliseconds:
    case KeyType::size:
    case KeyType::share:
      return any_of({{{"type", "number"}, {"minimum", 0}}, {{"type", "string"}}});
    default:
      return {{"type", "string"}};
  }
}

json::object schema_of(const Key& key) {
  const json::object text{{"type", "string"}};
  switch (key.type) {
    case KeyType::text_list:
    case KeyType::url_list:
    case KeyType::proxy_list:
    case KeyType::css_list:
    case KeyType::regex_list:
    case KeyType::network_list:
      return array_of(text);
    case KeyType::text_or_list:
      return any_of({text, array_of(text)});
    case KeyType::word_list:
      return any_of({word_schema(key), array_of(word_schema(key))});
    case KeyType::text_map:
    case KeyType::header_map:
      return {{"type", "object"},
              {"additionalProperties", {{"type", {"string", "number", "boolean"}}}}};
    case KeyType::field_list:
      return array_of(any_of({text, reference(key.allowed)}));
    case KeyType::table:
      return reference(key.allowed);
    case KeyType::table_list:
      return array_of(reference(key.allowed));
    case KeyType::table_map:
      return {{"type", "object"}, {"additionalProperties", reference(key.allowed)}};
    case KeyType::names_or_tables:
      return any_of(
          {text, reference(key.allowed), array_of(any_of({text, reference(key.allowed)}))});
    default:
      return scalar_schema(key);
  }
}

void add_properties(json::object& properties, const Section& section) {
  for (const Key& key : section.keys) {
    json::object schema = schema_of(key);
    std::string help(key.help);
    if (key.availability == Availability::later) help += " Not available yet, has no effect.";
    schema["description"] = help;
    const bool has_preset = !key.preset.empty() && !key.preset.starts_with('(');
    if (has_preset) schema["description"] = help + " Default: " + std::string(key.preset) + ".";
    properties[key.name] = std::move(schema);
  }
  if (!section.also.empty()) add_properties(properties, section_named(section.also));
}

json::object definitions() {
  json::object out;
  out["filled"] = {{"type", "string"}, {"pattern", R"(\$\{(env|file):|\{\{)"}};
  for (const Section& section : all_sections()) {
    json::object properties;
    add_properties(properties, section);
    out[section.name] = {{"title", section.title},
                         {"type", "object"},
                         {"additionalProperties", false},
                         {"properties", std::move(properties)}};
  }
  return out;
}

// Boost.JSON writes one line only; people read and diff this file.
void print(std::string& out, const json::value& value, int depth) {
  const std::string indent(static_cast<std::size_t>(depth + 1) * 2, ' ');
  const std::string closing(static_cast<std::size_t>(depth) * 2, ' ');
  const bool is_flat =
      !value.is_structured() || (value.is_array() && value.as_array().empty()) ||
      (value.is_object() && value.as_object().size() < 2 && json::serialize(value).size() < 80);
  if (is_flat) {
    out += json::serialize(value);
    return;
  }
  std::string_view separator = "\n";
  out += value.is_array() ? "[" : "{";
  const auto add = [&](const json::string_view name, const json::value& member) {
    out += separator;
    out += indent;
    if (!name.empty()) out += json::serialize(json::value(name)) + ": ";
    print(out, member, depth + 1);
    separator = ",\n";
  };
  if (value.is_array())
    for (const json::value& member : value.as_array()) add({}, member);
  else
    for (const auto& member : value.as_object()) add(member.key(), member.value());
  out += "\n" + closing + (value.is_array() ? "]" : "}");
}

}  // namespace

std::string json_schema() {
  const json::object root{
      {"$schema", "https://json-schema.org/draft/2020-12/schema"},
      {"title", "Heddle configuration"},
      {"description",
       "heddle.toml (#/$defs/project), jobs.toml (#/$defs/jobs_file), config.toml (#/$defs/job)"},
      {"anyOf", {reference("project"), reference("jobs_file"), reference("job")}},
      {"$defs", definitions()}};
  std::string out;
  print(out, root, 0);
  return out + "\n";
}

}  // namespace heddle::config

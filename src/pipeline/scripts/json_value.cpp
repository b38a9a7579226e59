#include "pipeline/scripts/json_value.hpp"

#include <boost/json.hpp>

#include "base/text.hpp"

namespace heddle::pipeline {

namespace json = boost::json;
using script::ScriptValue;

namespace {

ScriptValue from(const json::value& value) {
  switch (value.kind()) {
    case json::kind::null:
      return {script::Null()};
    case json::kind::bool_:
      return {value.get_bool()};
    case json::kind::int64:
      return {value.get_int64()};
    case json::kind::uint64:
      return {static_cast<double>(value.get_uint64())};
    case json::kind::double_:
      return {value.get_double()};
    case json::kind::string:
      return {std::string(value.get_string())};
    case json::kind::array: {
      script::List list;
      for (const json::value& each : value.get_array()) list.push_back(from(each));
      return {std::move(list)};
    }
    case json::kind::object: {
      script::Map map;
      for (const auto& [name, each] : value.get_object()) map.emplace_back(name, from(each));
      return {std::move(map)};
    }
  }
  return {};
}

struct ToJson {
  json::value operator()(std::monostate) const { return nullptr; }
  json::value operator()(script::Null) const { return nullptr; }
  json::value operator()(const std::string& text) const {
    return json::string(to_valid_utf8(text));
  }
  json::value operator()(const script::List& list) const {
    json::array array;
    for (const ScriptValue& each : list) array.push_back(std::visit(*this, each.data));
    return array;
  }
  json::value operator()(const script::Map& map) const {
    json::object object;
    for (const auto& [name, each] : map) object[to_valid_utf8(name)] = std::visit(*this, each.data);
    return object;
  }
  template <class Number>
  json::value operator()(Number number) const {
    return number;
  }
};

}  // namespace

Result<ScriptValue> value_from_json(std::string_view text) {
  json::error_code failed;
  const json::value parsed = json::parse(json::string_view(text.data(), text.size()), failed);
  if (failed) return Error{ErrorCode::bad_input, "not JSON: " + failed.message()};
  return from(parsed);
}

std::string json_from_value(const ScriptValue& value) {
  return json::serialize(std::visit(ToJson(), value.data));
}

}  // namespace heddle::pipeline

// Converts between JSON text and script values. Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "script/script_value.hpp"

namespace heddle::pipeline {

Result<script::ScriptValue> value_from_json(std::string_view json);
std::string json_from_value(const script::ScriptValue& value);

}  // namespace heddle::pipeline

// Converts between script values and database values. Pure.
#pragma once

#include "script/want.hpp"
#include "store/scripts/sql_value.hpp"

namespace heddle::pipeline {

store::SqlParams params_from(const script::SqlWant& want);
store::Number number_from(const script::ScriptValue& value);  // 0 when it is not a number
script::ScriptValue value_from(const store::Number& number);
// A list of tables, one per row; NULL columns are absent, as nil is in Lua.
script::ScriptValue rows_value(store::SqlRows rows);

}  // namespace heddle::pipeline

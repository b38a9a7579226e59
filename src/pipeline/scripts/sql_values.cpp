#include "pipeline/scripts/sql_values.hpp"

namespace heddle::pipeline {

using script::ScriptValue;

namespace {

store::SqlValue sql_value(const ScriptValue& value) {
  if (const auto* flag = std::get_if<bool>(&value.data)) return *flag;
  if (const auto* whole = std::get_if<std::int64_t>(&value.data)) return *whole;
  if (const auto* real = std::get_if<double>(&value.data)) return *real;
  if (const auto* text = std::get_if<std::string>(&value.data)) return *text;
  return std::monostate();
}

ScriptValue script_value(store::SqlValue value) {
  return std::visit([](auto&& each) { return ScriptValue{std::forward<decltype(each)>(each)}; },
                    std::move(value));
}

}  // namespace

store::SqlParams params_from(const script::SqlWant& want) {
  store::SqlParams params;
  for (const ScriptValue& value : want.params) params.positional.push_back(sql_value(value));
  for (const auto& [name, value] : want.named_params)
    params.named.emplace_back(name, sql_value(value));
  return params;
}

store::Number number_from(const ScriptValue& value) {
  if (const auto* real = std::get_if<double>(&value.data)) return *real;
  if (const auto* whole = std::get_if<std::int64_t>(&value.data)) return *whole;
  return std::int64_t{0};
}

ScriptValue value_from(const store::Number& number) {
  if (const auto* real = std::get_if<double>(&number)) return {*real};
  return {std::get<std::int64_t>(number)};
}

ScriptValue rows_value(store::SqlRows rows) {
  script::List list;
  list.reserve(rows.rows.size());
  for (auto& row : rows.rows) {
    script::Map map;
    for (std::size_t i = 0; i < row.size(); ++i)
      if (!std::holds_alternative<std::monostate>(row[i]))
        map.emplace_back(rows.columns[i], script_value(std::move(row[i])));
    list.push_back(ScriptValue{std::move(map)});
  }
  return {std::move(list)};
}

}  // namespace heddle::pipeline

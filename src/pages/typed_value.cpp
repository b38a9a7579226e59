#include "pages/typed_value.hpp"

#include <algorithm>

#include "model/json.hpp"
#include "pages/values/date.hpp"
#include "pages/values/money.hpp"
#include "pages/values/number.hpp"

namespace heddle::pages {

namespace {

void write_text(JsonWriter& json, const std::optional<std::string>& text) {
  if (text)
    json.value(*text);
  else
    json.null();
}

void write_money(JsonWriter& json, std::string_view text) {
  const Money money = read_money(text);
  json.begin_object().key("amount");
  write_text(json, money.amount);
  json.key("currency");
  write_text(json, money.currency);
  json.end_object();
}

void write_number(JsonWriter& json, std::string_view text) {
  if (const auto number = read_number(text))
    json.raw(*number);
  else
    json.null();
}

void write_value(JsonWriter& json, FieldType type, std::string_view text) {
  if (type == FieldType::money)
    write_money(json, text);
  else if (type == FieldType::number)
    write_number(json, text);
  else
    write_text(json, read_date(text));
}

}  // namespace

std::string typed_values_json(const Job& job, const Item& item) {
  const auto is_typed = [](const FieldRule& rule) { return rule.type != FieldType::text; };
  if (std::none_of(job.fields.begin(), job.fields.end(), is_typed)) return {};
  JsonWriter json;
  json.begin_object();
  for (const FieldRule& rule : job.fields) {
    if (!is_typed(rule)) continue;
    json.key(rule.name);
    if (const std::string* text = item.find(rule.name))
      write_value(json, rule.type, *text);
    else
      json.null();
  }
  return json.end_object().take();
}

}  // namespace heddle::pages

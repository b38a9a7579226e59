#include "pages/changes/item_changes.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "pages/changes/volatile_text.hpp"
#include "pages/values/date.hpp"
#include "pages/values/money.hpp"
#include "pages/values/number.hpp"

namespace heddle::pages {

namespace {

constexpr std::size_t kShownValue = 200;  // bytes

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::string_view text_of(const Item& item, std::string_view field) {
  const std::string* text = item.find(field);
  return text == nullptr ? std::string_view() : std::string_view(*text);
}

const FieldRule* rule_of(const Job& job, std::string_view field) {
  const auto rule = std::ranges::find(job.fields, field, &FieldRule::name);
  return rule == job.fields.end() ? nullptr : &*rule;
}

bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

std::string in_one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (!is_blank(c))
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  if (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

// "1299" and "1299.00" are one amount.
std::string_view without_closing_zeros(std::string_view decimal) {
  if (decimal.find('.') == std::string_view::npos) return decimal;
  decimal = decimal.substr(0, decimal.find_last_not_of('0') + 1);
  if (decimal.ends_with('.')) decimal.remove_suffix(1);
  return decimal;
}

bool is_same_decimal(const std::optional<std::string>& left,
                     const std::optional<std::string>& right) {
  return left && right && without_closing_zeros(*left) == without_closing_zeros(*right);
}

bool is_same_money(std::string_view left, std::string_view right) {
  const Money before = read_money(left);
  const Money after = read_money(right);
  return is_same_decimal(before.amount, after.amount) && before.currency == after.currency;
}

bool is_same_date(const std::optional<std::string>& left, const std::optional<std::string>& right) {
  return left && left == right;
}

bool is_same(FieldType type, std::string_view before, std::string_view after) {
  if (before == after) return true;
  if (before.empty() || after.empty()) return false;
  if (type == FieldType::money && is_same_money(before, after)) return true;
  if (type == FieldType::number && is_same_decimal(read_number(before), read_number(after)))
    return true;
  if (type == FieldType::date && is_same_date(read_date(before), read_date(after))) return true;
  const std::string left = in_one_line(before);
  const std::string right = in_one_line(after);
  if (left == right) return true;
  // What is volatile in a text is the point of a typed value.
  return type == FieldType::text && without_volatile_parts(left) == without_volatile_parts(right);
}

Significance significance_of_field(const Job& job, const FieldRule* rule) {
  if (rule == nullptr) return Significance::medium;
  if (job.watch == WatchKind::product && rule->name == "stock") return Significance::high;
  if (rule->type == FieldType::money) return Significance::high;
  return rule->attribute == "src" ? Significance::low : Significance::medium;
}

class ItemComparison {
 public:
  ItemComparison(const Job& job, const Item& before, const Item& after)
      : job_(job), before_(before), after_(after), key_(key_text(job, after)) {}

  void compare(std::string_view field) {
    if (contains(done_, field)) return;
    done_.emplace_back(field);
    const bool counts = job_.hash_fields.empty() || contains(job_.hash_fields, field);
    if (!counts || contains(job_.key, field)) return;
    const FieldRule* rule = rule_of(job_, field);
    const std::string_view before = text_of(before_, field);
    const std::string_view after = text_of(after_, field);
    const bool is_hash = job_.watch == WatchKind::file && field == "hash";  // not a session id
    if (!is_hash && is_same(rule == nullptr ? FieldType::text : rule->type, before, after)) return;
    changes_.push_back({key_, std::string(field), std::string(before), std::string(after),
                        significance_of_field(job_, rule)});
  }

  std::vector<FieldChange> take() { return std::move(changes_); }

 private:
  const Job& job_;
  const Item& before_;
  const Item& after_;
  std::string key_;
  std::vector<std::string> done_;
  std::vector<FieldChange> changes_;
};

}  // namespace

std::string key_text(const Job& job, const Item& item) {
  std::string text;
  for (const std::string& name : job.key) {
    const std::string_view value = text_of(item, name);
    if (value.empty()) continue;
    if (!text.empty()) text += " | ";
    text += value;
  }
  return text;
}

std::string named_key_text(const Job& job, const Item& item) {
  std::string text;
  for (const std::string& name : job.key) {
    const std::string_view value = text_of(item, name);
    const std::string_view shown = utf8_prefix(value, kShownValue);
    text += text.empty() ? "" : ", ";
    text += name + " = \"" + std::string(shown) + (shown.size() < value.size() ? "...\"" : "\"");
  }
  return text;
}

std::vector<FieldChange> compare_items(const Job& job, const Item& before, const Item& after) {
  // The same bytes are the same file, whatever the server calls them.
  if (job.watch == WatchKind::file && text_of(before, "hash") == text_of(after, "hash")) return {};
  ItemComparison comparison(job, before, after);
  for (const FieldRule& rule : job.fields) comparison.compare(rule.name);
  for (const Field& field : after.fields) comparison.compare(field.first);
  for (const Field& field : before.fields) comparison.compare(field.first);
  return comparison.take();
}

}  // namespace heddle::pages

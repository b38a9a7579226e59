#include "store/scripts/key_table.hpp"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/text.hpp"
#include "store/scripts/script_database.hpp"

namespace heddle::store {

namespace {

constexpr const char* kSelect = "SELECT value FROM heddle_values WHERE owner = ? AND key = ?";

Error bad(std::string message) {
  return {ErrorCode::bad_input, std::move(message)};
}

std::string shown(std::string_view bytes) {
  return to_valid_utf8(std::string(utf8_prefix(bytes, 60)));
}

template <class T>
std::optional<T> read_number(std::string_view text) {
  T number{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<Number> parse_number(std::string_view text) {
  text = trim(text);
  if (const auto integer = read_number<std::int64_t>(text)) return Number(*integer);
  if (const auto real = read_number<double>(text); real && std::isfinite(*real))
    return Number(*real);
  return std::nullopt;
}

// The shortest text that reads back as the same number; a real number always has a point or
// exponent.
std::string number_text(const Number& number) {
  std::string text = std::visit([](auto value) { return fmt::format("{}", value); }, number);
  if (std::holds_alternative<double>(number) && text.find_first_of(".e") == std::string::npos)
    text += ".0";
  return text;
}

double as_real(const Number& number) {
  return std::visit([](auto value) { return static_cast<double>(value); }, number);
}

Result<Number> sum(const Number& a, const Number& b) {
  const auto* left = std::get_if<std::int64_t>(&a);
  const auto* right = std::get_if<std::int64_t>(&b);
  if (left != nullptr && right != nullptr) {
    std::int64_t total = 0;
    if (__builtin_add_overflow(*left, *right, &total))
      return bad(fmt::format("{} + {} is too large for an integer", *left, *right));
    return Number(total);
  }
  const double total = as_real(a) + as_real(b);
  if (!std::isfinite(total)) return bad("the sum is not a finite number");
  return Number(total);
}

// nullopt when there is none.
Result<std::optional<std::string>> read_value(Statement& select, const KeyName& name) {
  auto rows = select.query(name.owner, Blob{name.key});
  auto found = rows.next();
  if (!found) return std::move(found).error();
  if (!*found) return std::optional<std::string>();
  return std::optional(std::string(rows.blob(0)));
}

}  // namespace

Status check_key(const std::string& key) {
  if (key.empty()) return bad("a key must not be empty");
  if (key.size() <= kMaxKeyBytes) return Done{};
  return bad(fmt::format("the key \"{}…\" has {} bytes, at most {} are allowed", shown(key),
                         key.size(), kMaxKeyBytes));
}

Status check_value(const std::string& value) {
  if (value.size() <= kMaxValueBytes) return Done{};
  return bad(fmt::format("the value has {} bytes, at most {} MB are allowed", value.size(),
                         kMaxValueBytes >> 20));
}

KeyTable::KeyTable(Connection& db)
    : select_(db, kSelect),
      upsert_(db,
              "INSERT INTO heddle_values (owner, key, value) VALUES (?, ?, ?)"
              " ON CONFLICT (owner, key) DO UPDATE SET value = excluded.value"),
      delete_(db, "DELETE FROM heddle_values WHERE owner = ? AND key = ?") {}

Status KeyTable::set(const KeyName& name, const std::string& value) {
  return upsert_.run(name.owner, Blob{name.key}, Blob{value});
}

Result<bool> KeyTable::remove(const KeyName& name) {
  auto changed = delete_.change(name.owner, Blob{name.key});
  if (!changed) return std::move(changed).error();
  return *changed > 0;
}

Result<Number> KeyTable::increment(const KeyName& name, const Number& initial,
                                   const Number& delta) {
  auto old = read_value(select_, name);
  if (!old) return std::move(old).error();
  const auto before = *old ? parse_number(**old) : std::optional(initial);
  if (!before)
    return bad(
        fmt::format("the value of \"{}\" is \"{}\", not a number", shown(name.key), shown(**old)));
  auto after = sum(*before, delta);
  if (!after) return after;
  if (auto done = set(name, number_text(*after)); !done) return std::move(done).error();
  return after;
}

KeyRows::KeyRows(Connection& db) : select_(db, kSelect) {}

Result<std::optional<std::string>> KeyRows::get(const KeyName& name) {
  return read_value(select_, name);
}

}  // namespace heddle::store

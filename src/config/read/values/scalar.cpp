#include "config/read/values/scalar.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <functional>
#include <stdexcept>

#include <fmt/format.h>

#include "base/text.hpp"
#include "config/read/values/formats.hpp"
#include "config/read/values/quantity.hpp"

namespace heddle::config {

namespace {

constexpr std::size_t kLongestShown = 60;
constexpr double kLeastPercent = 0.1;  // of a disk; less is too small on most

using std::chrono::milliseconds;

// A reader returns the typed value or an error.
using Answer = Result<Typed>;
using Reader = Answer (*)(const Key&, const TomlValue&);

Error no_match(const Key& key, const TomlValue& value) {
  return {ErrorCode::bad_input, mismatch(key, value)};
}

// Out of line: where GCC 12 knows which alternative is moved, it warns about the others.
[[gnu::noinline]] Answer answer(Typed value) {
  return value;
}

template <class T>
Answer optional_answer(const Key& key, const TomlValue& value, const std::optional<T>& parsed) {
  if (!parsed) return no_match(key, value);
  return answer(*parsed);
}

Answer read_boolean(const Key& key, const TomlValue& value) {
  if (const bool* flag = std::get_if<bool>(&value.data)) return answer(*flag);
  const std::string* text = value.substituted ? value.text() : nullptr;
  if (text != nullptr && (*text == "true" || *text == "false")) return answer(*text == "true");
  return no_match(key, value);
}

Answer read_integer(const Key& key, const TomlValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value.data)) return answer(*number);
  if (value.substituted && value.text() != nullptr)
    return optional_answer(key, value, parse_integer(trim(*value.text())));
  return no_match(key, value);
}

std::optional<double> number_in(const TomlValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value.data))
    return static_cast<double>(*whole);
  if (const auto* number = std::get_if<double>(&value.data))
    return std::isfinite(*number) ? std::optional(*number) : std::nullopt;
  return std::nullopt;
}

Answer read_number(const Key& key, const TomlValue& value) {
  if (value.substituted && value.text() != nullptr)
    return optional_answer(key, value, parse_number(trim(*value.text())));
  return optional_answer(key, value, number_in(value));
}

Answer read_text(const Key& key, const TomlValue& value) {
  if (value.text() == nullptr) return no_match(key, value);
  return answer(*value.text());
}

Answer read_word(const Key& key, const TomlValue& value) {
  const auto words = words_of(key);
  const std::string* text = value.text();
  if (text == nullptr || std::find(words.begin(), words.end(), *text) == words.end())
    return no_match(key, value);
  return answer(*text);
}

Answer read_duration(const Key& key, const TomlValue& value) {
  if (value.text() != nullptr) return optional_answer(key, value, parse_duration(*value.text()));
  const auto seconds = number_in(value);
  return optional_answer(key, value, seconds ? seconds_to_duration(*seconds) : std::nullopt);
}

Answer read_milliseconds(const Key& key, const TomlValue& value) {
  const auto count = value.text() != nullptr ? parse_integer(trim(*value.text())) : std::nullopt;
  if (!count && value.text() != nullptr) return read_duration(key, value);
  const auto* whole = std::get_if<std::int64_t>(&value.data);
  if (!count && whole == nullptr) return no_match(key, value);
  const std::int64_t number = count ? *count : *whole;
  return optional_answer(key, value, seconds_to_duration(static_cast<double>(number) / 1000));
}

Answer read_size(const Key& key, const TomlValue& value) {
  if (value.text() != nullptr) return optional_answer(key, value, parse_size(*value.text()));
  const auto* bytes = std::get_if<std::int64_t>(&value.data);
  if (bytes == nullptr || *bytes < 0) return no_match(key, value);
  return answer(*bytes);
}

std::string shown(const TomlValue& value) {
  if (value.substituted) return "the value of a ${…} or {{…}}";  // it may be secret
  if (value.list() != nullptr || value.table() != nullptr) return std::string(kind_of(value));
  std::string text = to_toml(value);
  if (text.size() <= kLongestShown) return text;
  return std::string(utf8_prefix(text, kLongestShown)) + "…";
}

Answer read_share(const Key& key, const TomlValue& value) {
  const auto percent = value.text() != nullptr ? parse_percent(trim(*value.text())) : std::nullopt;
  if (!percent) return read_size(key, value);
  if (*percent >= kLeastPercent) return answer(*value.text());
  return Error{ErrorCode::bad_input, fmt::format("found {}, expected at least {}% of the disk",
                                                 shown(value), kLeastPercent)};
}

template <Status (*Check)(std::string_view)>
Answer read_checked(const Key& key, const TomlValue& value) {
  const std::string* text = value.text();
  if (text == nullptr) return no_match(key, value);
  auto status = Check(trim(*text));
  if (!status) return std::move(status).error();
  return answer(std::string(trim(*text)));
}

Answer read_token(const Key& key, const TomlValue& value) {
  auto method = read_checked<check_token>(key, value);
  if (!method) return method;
  auto& text = std::get<std::string>(*method);
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  if (text == "CONNECT" || text == "TRACE")
    return Error{ErrorCode::bad_input, fmt::format("the method {} is not supported", text)};
  return method;
}

Answer read_time_of_day(const Key& key, const TomlValue& value) {
  if (value.text() == nullptr || !parse_time_of_day(*value.text())) return no_match(key, value);
  return answer(*value.text());
}

Answer read_time_span(const Key& key, const TomlValue& value) {
  if (value.text() == nullptr) return no_match(key, value);
  const auto ends = split(*value.text(), '-');
  if (ends.size() != 2 || !parse_time_of_day(trim(ends[0])) || !parse_time_of_day(trim(ends[1])))
    return no_match(key, value);
  return answer(*value.text());
}

constexpr std::array<std::pair<KeyType, Reader>, 18> kReaders{{
    {KeyType::boolean, read_boolean},
    {KeyType::integer, read_integer},
    {KeyType::number, read_number},
    {KeyType::text, read_text},
    {KeyType::word, read_word},
    {KeyType::duration, read_duration},
    {KeyType::milliseconds, read_milliseconds},
    {KeyType::size, read_size},
    {KeyType::share, read_share},
    {KeyType::url, read_checked<check_url>},
    {KeyType::css, read_checked<check_css>},
    {KeyType::selector, read_checked<check_selector>},
    {KeyType::zone, read_text},
    {KeyType::file, read_checked<check_path>},
    {KeyType::token, read_token},
    {KeyType::listen, read_checked<check_listen>},
    {KeyType::time_of_day, read_time_of_day},
    {KeyType::time_span, read_time_span},
}};

Reader reader_for(KeyType type) {
  for (const auto& [known, reader] : kReaders)
    if (known == type) return reader;
  return nullptr;
}

// A number for comparison, independent of the unit; nullopt for values without an order.
std::optional<double> magnitude(const Typed& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* time = std::get_if<milliseconds>(&value))
    return static_cast<double>(time->count());
  return std::nullopt;
}

// A default or a bound as a parsed value.
TomlValue as_written(KeyType type, std::string_view text) {
  switch (type) {
    case KeyType::boolean:
    case KeyType::integer:
    case KeyType::number:
      return {std::string(text), 0, true};
    case KeyType::text_or_list:
    case KeyType::text_list:
    case KeyType::word_list:
      return {TomlList{TomlValue{std::string(text)}}, 0};
    default:
      return {std::string(text), 0};
  }
}

double bound(const Key& key, std::string_view text) {
  const Reader reader = reader_for(key.type);
  const auto typed = reader == nullptr ? Answer() : reader(key, as_written(key.type, text));
  const auto count = typed ? magnitude(*typed) : std::nullopt;
  if (!count) throw std::logic_error("the key table has a wrong range: " + std::string(key.name));
  return *count;
}

std::string describe_range(const KeyRange& range) {
  if (range.most.empty()) return fmt::format("at least {}", range.least);
  if (range.least.empty()) return fmt::format("at most {}", range.most);
  return fmt::format("{} to {}", range.least, range.most);
}

}  // namespace

bool is_scalar(KeyType type) {
  return reader_for(type) != nullptr;
}

Result<Typed> read_scalar(const Key& key, const TomlValue& value) {
  if (key.preset == "off" && value.text() != nullptr && *value.text() == "off") return Typed{};
  auto typed = reader_for(key.type)(key, value);
  const auto count = typed ? magnitude(*typed) : std::nullopt;
  if (!count) return typed;
  const KeyRange range = range_of(key);
  const bool too_small = !range.least.empty() && *count < bound(key, range.least);
  const bool too_large = !range.most.empty() && *count > bound(key, range.most);
  if (!too_small && !too_large) return typed;
  return Error{ErrorCode::bad_input,
               fmt::format("found {}, expected {}", shown(value), describe_range(range))};
}

Typed preset_of(const Key& key) {
  if (key.preset.empty() || key.preset == "off" || key.preset.starts_with('(')) return {};
  const TomlValue value = as_written(key.type, key.preset);
  if (value.list() != nullptr) return std::vector<std::string>{std::string(key.preset)};
  auto typed = read_scalar(key, value);
  if (!typed) throw std::logic_error("the key table has a wrong preset: " + std::string(key.name));
  return *std::move(typed);
}

std::string mismatch(const Key& key, const TomlValue& value) {
  const bool has_words = key.type == KeyType::word || key.type == KeyType::word_list;
  if (!has_words) return fmt::format("found {}, expected {}", shown(value), describe(key.type));
  auto words = words_of(key);
  std::erase_if(words, [&key](std::string_view word) { return !is_word_available(key, word); });
  std::string expected;
  for (const std::string_view word : words)
    expected += fmt::format("{}\"{}\"", expected.empty() ? "" : ", ", word);
  std::string message = fmt::format("found {}, expected {}{}", shown(value),
                                    words.size() > 1 ? "one of " : "", expected);
  if (value.text() == nullptr || value.substituted) return message;
  if (const auto nearest = nearest_name(*value.text(), words))
    message += fmt::format("; did you mean \"{}\"?", *nearest);
  return message;
}

}  // namespace heddle::config

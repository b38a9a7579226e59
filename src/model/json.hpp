// Writes compact JSON front to back into one string: no tree, no allocation but the text itself.
// The caller keeps the order right (key before value, every begin ended); not thread-safe.
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.hpp"

namespace heddle {

// Appends `text` as a JSON string with its quotes. Quotes, backslashes and control characters are
// escaped, bytes that are not UTF-8 become U+FFFD, all other characters stay as they are.
void append_json_string(std::string& out, std::string_view text);

// The same without the quotes.
void append_json_text(std::string& out, std::string_view text);

class JsonWriter {
 public:
  explicit JsonWriter(std::size_t expected_bytes = 0) { out_.reserve(expected_bytes); }

  JsonWriter& begin_object() { return begin('{'); }
  JsonWriter& end_object() { return end('}'); }
  JsonWriter& begin_array() { return begin('['); }
  JsonWriter& end_array() { return end(']'); }

  // The next value or begin_…() belongs to this key.
  JsonWriter& key(std::string_view name);

  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
  JsonWriter& value(bool flag) { return raw(flag ? "true" : "false"); }
  template <std::integral Integer>
  JsonWriter& value(Integer number) {
    if constexpr (std::unsigned_integral<Integer>)
      return unsigned_number(number);
    else
      return signed_number(number);
  }
  JsonWriter& value(WallTime time) { return value(to_iso8601(time)); }
  // Durations are in milliseconds, microseconds as "20.500".
  JsonWriter& value(std::chrono::milliseconds duration) { return value(duration.count()); }
  JsonWriter& value(std::chrono::microseconds duration) {
    return decimal(static_cast<double>(duration.count()) / 1000.0);
  }
  template <class Value>
  JsonWriter& value(const std::optional<Value>& maybe) {
    return maybe ? value(*maybe) : null();
  }
  template <class Value>
  JsonWriter& value(const std::vector<Value>& values) {
    return array(values, [](JsonWriter& json, const Value& each) { json.value(each); });
  }
  JsonWriter& null() { return raw("null"); }

  // A number with three decimals.
  JsonWriter& decimal(double number);

  // An array with what `write(*this, element)` writes for each element.
  template <class Range, class Write>
  JsonWriter& array(const Range& range, Write write) {
    begin_array();
    for (const auto& element : range) write(*this, element);
    return end_array();
  }

  // A value that is JSON already; it is not checked.
  JsonWriter& raw(std::string_view json);

  template <class Value>
  JsonWriter& field(std::string_view name, const Value& field_value) {
    return key(name).value(field_value);
  }

  [[nodiscard]] const std::string& text() const { return out_; }

  // Hands out what was written so far; the document goes on.
  [[nodiscard]] std::string take_part() { return std::exchange(out_, {}); }

  // Hands out what was written and starts over.
  [[nodiscard]] std::string take() {
    needs_comma_ = false;
    return std::exchange(out_, {});
  }

 private:
  JsonWriter& begin(char bracket);
  JsonWriter& end(char bracket);
  JsonWriter& signed_number(std::int64_t number);
  JsonWriter& unsigned_number(std::uint64_t number);
  void separate() {
    if (needs_comma_) out_ += ',';
    needs_comma_ = true;
  }

  std::string out_;
  bool needs_comma_ = false;  // the current level already has a value
};

}  // namespace heddle

#include "model/notify/template.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "model/json.hpp"

namespace heddle {

namespace {

constexpr std::size_t kMaxTagBytes = 64;
constexpr std::string_view kEllipsis = "…";
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return first < 0x20 || first == 0x7F;
  // U+0080 to U+009F: the C1 control characters.
  return first == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0;
}

bool is_break(std::string_view character) {
  return character == "\n" || character == "\r" || character == "\t";
}

void append_html(std::string& out, std::string_view character) {
  if (character == "&")
    out += "&amp;";
  else if (character == "<")
    out += "&lt;";
  else if (character == ">")
    out += "&gt;";
  else if (character == "\"")
    out += "&quot;";
  else if (character == "'")
    out += "&#39;";
  else
    out += character;
}

void append_visible(std::string& out, std::string_view character, TextFormat format) {
  if (format == TextFormat::json) return append_json_text(out, character);
  if (is_break(character)) {
    if (format != TextFormat::single_line)
      out += character;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
    return;
  }
  if (is_control(character)) return;
  if (format == TextFormat::html)
    append_html(out, character);
  else
    out += character;
}

// Escapes as much of `text` as fits; leaves in `text` what did not.
std::string take_escaped(std::string_view& text, TextFormat format, std::size_t max_bytes) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = utf8_sequence_length(text);
    const std::size_t before = out.size();
    append_visible(out, length == 0 ? kReplacement : text.substr(0, length), format);
    if (out.size() > max_bytes) {
      out.resize(before);
      return out;
    }
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return out;
}

std::string fit_escaped(std::string_view text, TextFormat format, std::size_t max_bytes) {
  std::string_view rest = text;
  std::string whole = take_escaped(rest, format, max_bytes);
  if (rest.empty()) return whole;
  if (max_bytes < kEllipsis.size()) return {};
  return take_escaped(text, format, max_bytes - kEllipsis.size()).append(kEllipsis);
}

// The length of the tag at the front of `text`, which begins with "{"; 0 when there is none.
std::size_t tag_length(std::string_view text) {
  const auto ends_name = [](char c) {
    return c == '{' || c == '}' || static_cast<unsigned char>(c) < 0x20;
  };
  const auto name_end = std::find_if(text.begin() + 1, text.end(), ends_name);
  const auto name_size = static_cast<std::size_t>(name_end - text.begin()) - 1;
  if (name_end == text.end() || *name_end != '}') return 0;
  return name_size == 0 || name_size > kMaxTagBytes ? 0 : name_size + 2;
}

std::string_view tag_name(std::string_view tag) {
  return tag.substr(1, tag.size() - 2);
}

}  // namespace

std::string escape_text(std::string_view text, TextFormat format) {
  return take_escaped(text, format, std::string::npos);
}

Template Template::parse(std::string_view text) {
  Template parsed;
  std::string literal;
  const auto end_literal = [&] {
    if (!literal.empty()) parsed.parts_.push_back({std::move(literal), false});
    literal.clear();
  };
  while (!text.empty()) {
    const std::size_t brace = std::min(text.find('{'), text.size());
    literal += text.substr(0, brace);
    text.remove_prefix(brace);
    if (text.empty()) break;
    if (const std::size_t length = tag_length(text); length > 0) {
      end_literal();
      parsed.parts_.push_back({std::string(text.substr(0, length)), true});
      text.remove_prefix(length);
    } else {
      literal += text.front();
      text.remove_prefix(1);
    }
  }
  end_literal();
  return parsed;
}

std::string Template::render(const Lookup& lookup, const Shape& shape) const {
  std::vector<std::optional<std::string_view>> values(parts_.size());
  std::size_t own_bytes = 0;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i].is_tag) values[i] = lookup(tag_name(parts_[i].text));
    if (!values[i]) own_bytes += parts_[i].text.size();
  }
  std::size_t room = shape.max_bytes - std::min(own_bytes, shape.max_bytes);
  std::string out;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (!values[i]) {
      out += parts_[i].text;
      continue;
    }
    const std::string value = fit_escaped(*values[i], shape.format, room);
    room -= value.size();
    out += value;
  }
  out.resize(utf8_prefix(out, shape.max_bytes).size());
  return out;
}

}  // namespace heddle

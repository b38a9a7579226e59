// Finds the declared encoding of a document before it is parsed: the WHATWG prescan.
#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "net/charset/charset.hpp"

namespace heddle::net {

namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

constexpr std::string_view kWord = "charset";

// "charset=x" inside the content attribute of a <meta http-equiv>.
std::string_view charset_in_content(std::string_view content) {
  while (true) {
    const auto found = std::search(content.begin(), content.end(), kWord.begin(), kWord.end(),
                                   [](char a, char b) { return (a | 0x20) == b; });
    if (found == content.end()) return {};
    content.remove_prefix(static_cast<std::size_t>(found - content.begin()) + kWord.size());
    content = trim(content);
    if (!content.starts_with('=')) continue;
    content = trim(content.substr(1));
    if (content.empty()) return {};
    const char quote = content[0];
    if (quote == '"' || quote == '\'') {
      const std::size_t end = content.find(quote, 1);
      return end == std::string_view::npos ? std::string_view{} : content.substr(1, end - 1);
    }
    return content.substr(0, content.find_first_of("; \t\r\n\f"));
  }
}

class Prescan {
 public:
  explicit Prescan(std::string_view text) : text_(text) {}

  std::string run() {
    if (text_.starts_with("<?xml")) {
      if (std::string declared = xml_encoding(); !declared.empty()) return declared;
    }
    while (position_ < text_.size()) {
      if (text_[position_] != '<') {
        ++position_;
        continue;
      }
      if (auto label = take_markup()) return *std::move(label);
    }
    return {};
  }

 private:
  using Attribute = std::pair<std::string, std::string>;

  [[nodiscard]] std::string_view rest() const { return text_.substr(position_); }

  [[nodiscard]] std::string xml_encoding() const {
    const std::string_view declaration = text_.substr(0, text_.find('>'));
    const std::size_t key = declaration.find("encoding");
    if (key == std::string_view::npos) return {};
    std::string_view value = trim(declaration.substr(key + 8));
    if (!value.starts_with('=')) return {};
    value = trim(value.substr(1));
    if (value.empty() || (value[0] != '"' && value[0] != '\'')) return {};
    const std::size_t end = value.find(value[0], 1);
    return end == std::string_view::npos ? "" : std::string(value.substr(1, end - 1));
  }

  // At "<": steps over one comment, tag or declaration. Returns the label of a <meta> that declares
  // one.
  std::optional<std::string> take_markup() {
    if (rest().starts_with("<!--")) {
      const std::size_t end = text_.find("-->", position_ + 2);
      position_ = end == std::string_view::npos ? text_.size() : end + 3;
      return std::nullopt;
    }
    const char after = position_ + 1 < text_.size() ? text_[position_ + 1] : ' ';
    const bool is_closing =
        after == '/' && position_ + 2 < text_.size() && is_letter(text_[position_ + 2]);
    if (is_letter(after) || is_closing) return take_tag();
    if (after == '!' || after == '/' || after == '?') {
      const std::size_t end = text_.find('>', position_);
      position_ = end == std::string_view::npos ? text_.size() : end + 1;
      return std::nullopt;
    }
    ++position_;
    return std::nullopt;
  }

  std::optional<std::string> take_tag() {
    const std::string_view tag = rest();
    const bool is_meta = tag.size() > 5 && equals_ignoring_case(tag.substr(0, 5), "<meta") &&
                         (is_space(tag[5]) || tag[5] == '/');
    while (position_ < text_.size() && !is_space(text_[position_]) && text_[position_] != '>')
      ++position_;
    const std::string label = take_label();
    return is_meta && !label.empty() ? std::optional(label) : std::nullopt;
  }

  // Steps over the tag's attributes; returns the encoding that a <meta> declares.
  std::string take_label() {
    std::string charset;
    std::string content;
    bool is_content_type = false;
    while (auto attribute = take_attribute()) {
      const auto& [name, value] = *attribute;
      if (name == "http-equiv") is_content_type = equals_ignoring_case(value, "content-type");
      if (name == "content" && content.empty()) content = charset_in_content(value);
      if (name == "charset" && charset.empty()) charset = value;
    }
    if (charset.empty() && is_content_type) return content;
    return charset;
  }

  std::optional<Attribute> take_attribute() {
    while (position_ < text_.size() && (is_space(text_[position_]) || text_[position_] == '/'))
      ++position_;
    if (position_ >= text_.size() || text_[position_] == '>') return std::nullopt;
    Attribute attribute;
    while (position_ < text_.size()) {
      const char c = text_[position_];
      const bool is_end =
          is_space(c) || c == '/' || c == '>' || (c == '=' && !attribute.first.empty());
      if (is_end) break;
      attribute.first += c;
      ++position_;
    }
    attribute.first = to_lower_ascii(attribute.first);
    skip_spaces();
    if (position_ < text_.size() && text_[position_] == '=') {
      ++position_;
      skip_spaces();
      attribute.second = take_value();
    }
    return attribute;
  }

  std::string take_value() {
    if (position_ >= text_.size()) return {};
    const char quote = text_[position_];
    if (quote == '"' || quote == '\'') {
      const std::size_t end = std::min(text_.find(quote, position_ + 1), text_.size());
      std::string value(text_.substr(position_ + 1, end - position_ - 1));
      position_ = std::min(end + 1, text_.size());
      return value;
    }
    const std::size_t start = position_;
    while (position_ < text_.size() && !is_space(text_[position_]) && text_[position_] != '>')
      ++position_;
    return std::string(text_.substr(start, position_ - start));
  }

  void skip_spaces() {
    while (position_ < text_.size() && is_space(text_[position_])) ++position_;
  }

  std::string_view text_;
  std::size_t position_ = 0;
};

}  // namespace

std::string declared_charset(std::string_view start_of_document) {
  return Prescan(start_of_document).run();
}

}  // namespace heddle::net

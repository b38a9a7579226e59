// repair_xml(): reads any text as XML, as feed readers must.
#include <unordered_map>
#include <vector>

#include "base/text.hpp"
#include "html/text.hpp"
#include "pages/xml/xml.hpp"
#include "pages/xml/xml_tree.hpp"

namespace heddle::pages {

namespace {

constexpr auto kNone = std::string_view::npos;

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool is_name_char(char c) {
  return is_name_start(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
}

class XmlRepairer {
 public:
  XmlRepairer(std::string_view text, const html::ParseLimits& limits)
      : text_(text), tree_(text.size(), limits) {}

  Result<html::Document> run() {
    while (at_ < text_.size() && tree_.problem().empty()) {
      const std::size_t mark = text_.find('<', at_);
      add_text(text_.substr(at_, mark == kNone ? kNone : mark - at_));
      at_ = std::min(mark, text_.size());
      if (at_ < text_.size()) read_markup();
    }
    return std::move(tree_).finish();
  }

 private:
  void read_markup() {
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("<![CDATA[")) return add_raw(take_until(9, "]]>"));
    if (rest.starts_with("<!--")) return tree_.add_comment(take_until(4, "-->"));
    if (rest.starts_with("<?")) return read_instruction();
    if (rest.starts_with("<!")) return skip_declaration();
    if (rest.size() > 2 && rest[1] == '/' && is_name_start(rest[2])) return read_end_tag();
    if (rest.size() > 1 && is_name_start(rest[1])) return read_start_tag();
    add_raw("<");
    ++at_;
  }

  // What stands between `skipped` bytes and `end`, or the end of the text.
  std::string_view take_until(std::size_t skipped, std::string_view end) {
    const std::size_t begin = std::min(at_ + skipped, text_.size());
    const std::size_t found = text_.find(end, begin);
    at_ = found == kNone ? text_.size() : found + end.size();
    return text_.substr(begin, found == kNone ? kNone : found - begin);
  }

  void read_instruction() {
    const std::string_view all = take_until(2, "?>");
    std::size_t end = 0;
    while (end < all.size() && is_name_char(all[end])) ++end;
    const std::string_view target = all.substr(0, end);
    if (!target.empty() && !equals_ignoring_case(target, "xml"))
      tree_.add_instruction(target, trim(all.substr(end)));
  }

  // A doctype with its brackets.
  void skip_declaration() {
    int depth = 0;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '[') ++depth;
      if (c == ']') --depth;
      if (c == '>' && depth <= 0) break;
    }
    if (at_ < text_.size()) ++at_;
  }

  std::string_view read_name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_name_char(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  void read_end_tag() {
    at_ += 2;
    const std::string_view name = read_name();
    const std::size_t end = text_.find_first_of("<>", at_);
    at_ = end == kNone ? text_.size() : end + (text_[end] == '>' ? 1 : 0);
    const auto open = open_counts_.find(name);
    if (open == open_counts_.end() || open->second == 0) return;
    while (open_.back() != name) close();
    close();
  }

  void close() {
    --open_counts_[open_.back()];
    open_.pop_back();
    tree_.close();
  }

  void read_start_tag() {
    ++at_;
    const std::string_view name = read_name();
    values_.clear();
    names_.clear();
    while (read_attribute()) {
    }
    const bool is_empty = at_ < text_.size() && text_[at_] == '/';
    const std::size_t end = text_.find_first_of("<>", at_);
    at_ = end == kNone ? text_.size() : end + (text_[end] == '>' ? 1 : 0);
    XmlAttributes attributes;
    for (std::size_t i = 0; i < names_.size(); ++i) attributes.emplace_back(names_[i], values_[i]);
    tree_.open(name, attributes);
    if (!tree_.problem().empty()) return;
    open_.push_back(name);
    ++open_counts_[name];
    if (is_empty) close();
  }

  bool read_attribute() {
    while (at_ < text_.size() && !is_name_start(text_[at_])) {
      const char c = text_[at_];
      if (c == '>' || c == '<' || (c == '/' && text_.substr(at_).starts_with("/>"))) return false;
      ++at_;
    }
    if (at_ >= text_.size()) return false;
    names_.push_back(read_name());
    std::string& value = values_.emplace_back();
    skip_space();
    if (at_ >= text_.size() || text_[at_] != '=') return true;
    ++at_;
    skip_space();
    html::append_decoded(read_attribute_value(), value);
    return true;
  }

  std::string_view read_attribute_value() {
    if (at_ >= text_.size()) return {};
    const char quote = text_[at_];
    if (quote == '"' || quote == '\'') return take_until(1, text_.substr(at_, 1));
    const std::size_t begin = at_;
    while (at_ < text_.size() && !is_space(text_[at_]) && text_[at_] != '>' && text_[at_] != '<')
      ++at_;
    return text_.substr(begin, at_ - begin);
  }

  void add_text(std::string_view text) {
    if (text.find('&') == kNone) return add_raw(text);
    std::string decoded;
    html::append_decoded(text, decoded);
    add_raw(decoded);
  }

  // Leaves out the control characters that XML does not allow.
  void add_raw(std::string_view text) {
    while (!text.empty()) {
      std::size_t end = 0;
      while (end < text.size() &&
             (static_cast<unsigned char>(text[end]) >= 0x20 || is_space(text[end])))
        ++end;
      tree_.add_text(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  std::string_view text_;
  XmlTree tree_;
  std::size_t at_ = 0;
  std::vector<std::string_view> open_;
  std::unordered_map<std::string_view, std::size_t> open_counts_;
  std::vector<std::string_view> names_;  // of the attributes of one tag
  std::vector<std::string> values_;
};

}  // namespace

Result<html::Document> repair_xml(std::string_view utf8, const html::ParseLimits& limits) {
  return XmlRepairer(utf8, limits).run();
}

}  // namespace heddle::pages

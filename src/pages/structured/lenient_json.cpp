#include "pages/structured/lenient_json.hpp"

#include "base/text.hpp"

namespace heddle::pages {

namespace {

bool is_json_space(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool ends_bare_word(char c) {
  return is_json_space(c) || c == ',' || c == ':' || c == '}' || c == ']' || c == '{' || c == '[' ||
         c == '"';
}

}  // namespace

class LenientJsonReader {
 public:
  LenientJsonReader(std::string_view input, JsonTree& tree) : input_(input), tree_(tree) {}

  void read() {
    constexpr std::string_view kCdata = "<![CDATA[";
    const std::size_t cdata = input_.substr(0, 100).find(kCdata);
    const std::size_t from = cdata == std::string_view::npos ? 0 : cdata + kCdata.size();
    const std::size_t start = input_.find_first_of("{[", from);
    if (start == std::string_view::npos) return;
    at_ = start;
    tree_.text_.reserve(input_.size() - start);
    read_value({}, 0);
  }

 private:
  using Kind = JsonTree::Kind;

  [[nodiscard]] bool at_end() const { return at_ >= input_.size(); }
  [[nodiscard]] char peek() const { return at_end() ? '\0' : input_[at_]; }

  void skip_space() {
    while (!at_end()) {
      if (is_json_space(input_[at_]))
        ++at_;
      else if (input_.compare(at_, 2, "//") == 0)
        skip_past("\n");
      else if (input_.compare(at_, 2, "/*") == 0)
        skip_past("*/");
      else
        return;
    }
  }

  void skip_past(std::string_view mark) {
    const std::size_t found = input_.find(mark, at_);
    at_ = found == std::string_view::npos ? input_.size() : found + mark.size();
  }

  // False when nothing more can be read.
  bool read_value(JsonTree::Slice key, int depth) {
    skip_space();
    if (at_end() || depth > JsonTree::kMaxDepth || tree_.nodes_.size() >= JsonTree::kMaxNodes)
      return false;
    const auto index = static_cast<JsonTree::Index>(tree_.nodes_.size());
    tree_.nodes_.push_back({.key = key, .text = {}, .end = index + 1, .kind = Kind::null});
    const bool goes_on = fill(index, depth);
    tree_.nodes_[index].end = static_cast<JsonTree::Index>(tree_.nodes_.size());
    return goes_on;
  }

  bool fill(JsonTree::Index index, int depth) {
    const char c = peek();
    if (c == '{' || c == '[') {
      tree_.nodes_[index].kind = c == '{' ? Kind::object : Kind::array;
      ++at_;
      return c == '{' ? read_members(depth) : read_elements(depth);
    }
    if (c == '"' || c == '\'') {
      tree_.nodes_[index].kind = Kind::string;
      tree_.nodes_[index].text = read_string();
      return true;
    }
    return read_bare_word(index);
  }

  bool read_members(int depth) {
    while (true) {
      skip_space();
      if (at_end()) return false;
      if (peek() == '}') return ++at_, true;
      if (peek() == ',') {
        ++at_;
        continue;
      }
      if (peek() == ']') return false;
      const JsonTree::Slice key = peek() == '"' || peek() == '\'' ? read_string() : read_name();
      skip_space();
      if (peek() != ':') return false;
      ++at_;
      if (!read_value(key, depth + 1)) return false;
    }
  }

  bool read_elements(int depth) {
    while (true) {
      skip_space();
      if (at_end()) return false;
      if (peek() == ']') return ++at_, true;
      if (peek() == ',') {
        ++at_;
        continue;
      }
      if (peek() == '}') return false;
      if (!read_value({}, depth + 1)) return false;
    }
  }

  JsonTree::Slice read_name() {
    const std::size_t begin = at_;
    while (!at_end() && !ends_bare_word(input_[at_])) ++at_;
    return keep(input_.substr(begin, at_ - begin));
  }

  bool read_bare_word(JsonTree::Index index) {
    const std::size_t begin = at_;
    while (!at_end() && !ends_bare_word(input_[at_])) ++at_;
    const std::string_view word = input_.substr(begin, at_ - begin);
    if (word.empty()) return false;
    auto& node = tree_.nodes_[index];
    if (word == "null" || word == "undefined") return true;
    node.kind = word == "true" || word == "false" ? Kind::boolean : Kind::number;
    const JsonTree::Slice text = keep(word);
    tree_.nodes_[index].text = text;
    return true;
  }

  JsonTree::Slice keep(std::string_view text) {
    const auto begin = static_cast<std::uint32_t>(tree_.text_.size());
    tree_.text_ += text;
    return {begin, static_cast<std::uint32_t>(text.size())};
  }

  JsonTree::Slice read_string() {
    const char quote = input_[at_++];
    const auto begin = static_cast<std::uint32_t>(tree_.text_.size());
    while (!at_end() && input_[at_] != quote) {
      if (input_[at_] == '\\')
        read_escape();
      else
        tree_.text_ += input_[at_++];
    }
    ++at_;
    return {begin, static_cast<std::uint32_t>(tree_.text_.size() - begin)};
  }

  void read_escape() {
    ++at_;
    if (at_end()) return;
    const char c = input_[at_++];
    switch (c) {
      case 'n':
      case 'r':
        tree_.text_ += '\n';
        break;
      case 't':
      case 'b':
      case 'f':
        tree_.text_ += ' ';
        break;
      case 'u':
        append_utf8(tree_.text_, read_code_point());
        break;
      default:
        tree_.text_ += c;
    }
  }

  char32_t read_code_point() {
    const char32_t first = read_four_digits();
    if (first < 0xD800 || first > 0xDFFF) return first;
    if (first > 0xDBFF || input_.compare(at_, 2, "\\u") != 0) return 0xFFFD;
    at_ += 2;
    const char32_t second = read_four_digits();
    if (second < 0xDC00 || second > 0xDFFF) return 0xFFFD;
    return 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
  }

  char32_t read_four_digits() {
    char32_t value = 0;
    for (int i = 0; i < 4; ++i) {
      const int digit = hex_digit(peek());
      if (digit < 0) return 0xFFFD;
      value = value * 16 + static_cast<char32_t>(digit);
      ++at_;
    }
    return value;
  }

  std::string_view input_;
  JsonTree& tree_;
  std::size_t at_ = 0;
};

JsonTree JsonTree::read(std::string_view text) {
  JsonTree tree;
  constexpr std::size_t kMaxBytes = std::size_t{8} << 20;
  LenientJsonReader(text.substr(0, kMaxBytes), tree).read();
  return tree;
}

JsonTree::Index JsonTree::first_child(Index node) const {
  return nodes_[node].end > node + 1 ? node + 1 : kNone;
}

JsonTree::Index JsonTree::next_sibling(Index node, Index parent) const {
  const Index after = nodes_[node].end;
  return after < nodes_[parent].end ? after : kNone;
}

JsonTree::Index JsonTree::find(Index object, std::string_view key) const {
  if (!is_object(object)) return kNone;
  for (Index child = first_child(object); child != kNone; child = next_sibling(child, object))
    if (this->key(child) == key) return child;
  return kNone;
}

}  // namespace heddle::pages

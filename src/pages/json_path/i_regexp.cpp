#include "pages/json_path/i_regexp.hpp"

#include <algorithm>
#include <array>

#include <re2/re2.h>

namespace heddle::pages {

namespace {

constexpr std::size_t kMaxPatternBytes = 4'000;
constexpr int kMaxGroups = 100;  // nested
constexpr std::int64_t kMaxMemory = 2 << 20;

constexpr auto kCategories = std::to_array<std::string_view>(
    {"L",  "Ll", "Lm", "Lo", "Lt", "Lu", "M",  "Mc", "Me", "Mn", "N",  "Nd", "Nl",
     "No", "P",  "Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "S",  "Sc", "Sk", "Sm",
     "So", "Z",  "Zl", "Zp", "Zs", "C",  "Cc", "Cf", "Cn", "Co", "Cs"});
// RE2 has no names for unassigned code points.
constexpr std::string_view kAssigned = R"(\p{L}\p{M}\p{N}\p{P}\p{S}\p{Z}\p{Cc}\p{Cf}\p{Co})";

// Follows the grammar of the RFC and writes RE2's syntax as it reads.
class IRegexpTranslator {
 public:
  explicit IRegexpTranslator(std::string_view text) : text_(text) {}

  std::optional<std::string> translate() {
    int depth = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '(') {
        if (++depth > kMaxGroups) return std::nullopt;
        take("(?:");
        can_repeat_ = false;
      } else if (c == ')') {
        if (depth-- == 0) return std::nullopt;
        take(")");
        can_repeat_ = true;
      } else if (c == '|') {
        take("|");
        can_repeat_ = false;
      } else if (!translate_piece()) {
        return std::nullopt;
      }
    }
    return depth == 0 ? std::optional(out_) : std::nullopt;
  }

 private:
  void take(std::string_view translation) {
    out_ += translation;
    ++at_;
  }

  bool translate_piece() {
    const char c = text_[at_];
    if (c == '*' || c == '+' || c == '?' || c == '{') return translate_quantifier();
    can_repeat_ = c != '^' && c != '$';
    if (c == '.') {
      take(R"([^\n\r])");
      return true;
    }
    if (c == '[') return translate_class();
    if (c == '\\') return translate_escape(false);
    if (c == ']' || c == '}') return false;
    out_ += c;
    ++at_;
    return true;
  }

  // One per atom: RE2 would read a second one as something else.
  bool translate_quantifier() {
    if (!can_repeat_) return false;
    can_repeat_ = false;
    if (text_[at_] != '{') {
      out_ += text_[at_++];
      return true;
    }
    const std::size_t begin = at_++;
    if (!skip_digits()) return false;
    if (peek() == ',') {
      ++at_;
      skip_digits();
    }
    if (peek() != '}') return false;
    ++at_;
    out_ += text_.substr(begin, at_ - begin);
    return true;
  }

  bool translate_class() {
    take("[");
    if (peek() == '^') take("^");
    bool is_first = true;
    while (peek() != ']') {
      if (at_ >= text_.size()) return false;
      if (peek() == '-') {
        const bool is_last = at_ + 1 < text_.size() && text_[at_ + 1] == ']';
        if (!is_first && !is_last) return false;
        take("\\-");
      } else if (!translate_class_part()) {
        return false;
      }
      is_first = false;
    }
    if (is_first) return false;
    take("]");
    return true;
  }

  // One character, a range or \p{…}.
  bool translate_class_part() {
    const bool is_property = peek() == '\\' && at_ + 1 < text_.size() &&
                             (text_[at_ + 1] == 'p' || text_[at_ + 1] == 'P');
    if (is_property) return translate_escape(true);
    if (!translate_class_char()) return false;
    const bool is_range = peek() == '-' && at_ + 1 < text_.size() && text_[at_ + 1] != ']';
    if (!is_range) return true;
    take("-");
    return translate_class_char();
  }

  bool translate_class_char() {
    const char c = peek();
    if (at_ >= text_.size() || c == '[' || c == ']' || c == '-') return false;
    if (c == '\\') return translate_escape(true);
    if (c == '^') out_ += '\\';
    out_ += c;  // the bytes of one character follow each other
    ++at_;
    while (at_ < text_.size() && (static_cast<unsigned char>(text_[at_]) & 0xC0U) == 0x80)
      out_ += text_[at_++];
    return true;
  }

  bool translate_escape(bool is_in_class) {
    ++at_;
    if (at_ >= text_.size()) return false;
    const char c = text_[at_];
    if (c == 'p' || c == 'P') return translate_property(is_in_class);
    constexpr std::string_view kEscaped = "()*+-.?[\\]^{|}nrt";
    if (kEscaped.find(c) == std::string_view::npos) return false;
    out_ += '\\';
    out_ += c;
    ++at_;
    return true;
  }

  bool translate_property(bool is_in_class) {
    const bool is_negated = text_[at_] == 'P';
    const std::size_t end = text_.find('}', at_);
    if (at_ + 1 >= text_.size() || text_[at_ + 1] != '{' || end == std::string_view::npos)
      return false;
    const std::string_view name = text_.substr(at_ + 2, end - at_ - 2);
    if (std::find(kCategories.begin(), kCategories.end(), name) == kCategories.end()) return false;
    at_ = end + 1;
    if (name == "Cn") return append_unassigned(is_negated, is_in_class);
    if (name == "Cs") {  // no character of valid text
      out_ += is_negated ? R"([\x{0}-\x{10FFFF}])" : R"([^\x{0}-\x{10FFFF}])";
      return !is_in_class;
    }
    out_ += is_negated ? "\\P{" : "\\p{";
    out_ += name;
    out_ += '}';
    return true;
  }

  // The complement of all that is assigned cannot stand inside a class of RE2.
  bool append_unassigned(bool is_negated, bool is_in_class) {
    if (is_in_class && !is_negated) return false;
    if (!is_in_class) out_ += is_negated ? "[" : "[^";
    out_ += kAssigned;
    if (!is_in_class) out_ += ']';
    return true;
  }

  bool skip_digits() {
    const std::size_t begin = at_;
    while (peek() >= '0' && peek() <= '9') ++at_;
    return at_ > begin;
  }
  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  std::string_view text_;
  std::size_t at_ = 0;
  bool can_repeat_ = false;
  std::string out_;
};

}  // namespace

std::optional<std::string> translate_i_regexp(std::string_view text) {
  if (text.size() > kMaxPatternBytes) return std::nullopt;
  return IRegexpTranslator(text).translate();
}

std::shared_ptr<const re2::RE2> compile_i_regexp(std::string_view text) {
  const auto translated = translate_i_regexp(text);
  if (!translated) return nullptr;
  re2::RE2::Options options(re2::RE2::Quiet);
  options.set_max_mem(kMaxMemory);
  auto regex = std::make_shared<const re2::RE2>(*translated, options);
  return regex->ok() ? regex : nullptr;
}

}  // namespace heddle::pages

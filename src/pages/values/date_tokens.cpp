#include "pages/values/date_tokens.hpp"

#include "base/text.hpp"

namespace heddle::pages {

namespace {

bool is_word_part(char32_t c) {
  return is_letter(c) || is_combining_mark(c);
}

int value_of(std::u32string_view digits) {
  if (digits.size() > 9) return -1;
  int value = 0;
  for (const char32_t digit : digits) value = value * 10 + static_cast<int>(digit - U'0');
  return value;
}

template <class Belongs>
std::size_t end_of_run(std::u32string_view text, std::size_t at, Belongs belongs) {
  while (at < text.size() && belongs(text[at])) ++at;
  return at;
}

}  // namespace

std::vector<DateToken> date_tokens(const NormalizedText& normalized) {
  const std::u32string_view text = normalized.folded;
  std::vector<DateToken> tokens;
  bool follows_space = false;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == U' ') {
      follows_space = true;
      ++at;
      continue;
    }
    DateToken token;
    std::size_t end = at + 1;
    if (is_digit(text[at])) {
      token.kind = DateToken::Kind::number;
      end = end_of_run(text, at, is_digit);
      token.value = value_of(text.substr(at, end - at));
    } else if (is_word_part(text[at])) {
      token.kind = DateToken::Kind::word;
      end = end_of_run(text, at, is_word_part);
    }
    token.text = text.substr(at, end - at);
    token.follows_space = follows_space;
    tokens.push_back(token);
    follows_space = false;
    at = end;
  }
  return tokens;
}

}  // namespace heddle::pages

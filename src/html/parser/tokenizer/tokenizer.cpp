#include "html/parser/tokenizer/tokenizer.hpp"

#include "html/parser/tokenizer/character_reference.hpp"
#include "html/parser/tokenizer/characters.hpp"
#include "html/parser/tokenizer/scan.hpp"

namespace heddle::html::parser {

namespace {

// Whether the '<' begins markup. "</" at the very end is text.
bool starts_markup(const char* at, const char* end) {
  if (end - at < 2) return false;
  const char next = at[1];
  if (has_class(next, is_letter) || next == '!' || next == '?') return true;
  return next == '/' && end - at > 2;
}

bool may_be_reference(const char* at, const char* end) {
  return end - at > 1 && (at[1] == '#' || has_class(at[1], is_letter));
}

}  // namespace

void Tokenizer::next(Token& token) {
  if (budget_.is_exceeded()) cursor_ = text_end_ = end_;
  while (state_ == State::data ? !next_in_data(token) : !next_in_text(token)) {
  }
}

bool Tokenizer::starts_with(const char* at, std::string_view lower) const {
  if (static_cast<std::size_t>(end_ - at) < lower.size()) return false;
  for (const char letter : lower)
    if (to_lower(*at++) != letter) return false;
  return true;
}

const char* Tokenizer::find_text_end(const char* at) const {
  for (;; ++at) {
    at = find_any<'<', '&', '\0'>(at, end_);
    if (at == end_ || *at == '\0') return at;
    if (*at == '<' ? starts_markup(at, end_) : may_be_reference(at, end_)) return at;
  }
}

bool Tokenizer::emit_text(Token& token, const char* text_end) {
  token.kind = TokenKind::text;
  token.text = {cursor_, static_cast<std::size_t>(text_end - cursor_)};
  cursor_ = text_end;
  return true;
}

// False when it produced no token: "</>".
bool Tokenizer::next_in_data(Token& token) {
  if (cursor_ != end_ && *cursor_ == '<' && starts_markup(cursor_, end_)) return read_markup(token);
  const char* at = find_text_end(cursor_);
  if (at != cursor_) return emit_text(token, at);
  if (at == end_) {
    token.kind = TokenKind::end_of_file;
    return true;
  }
  if (*at == '\0') return read_nulls(token, end_);
  if (read_reference(token)) return true;
  return emit_text(token, find_text_end(at + 1));
}

bool Tokenizer::read_reference(Token& token) {
  const auto rest = static_cast<std::size_t>(end_ - cursor_);
  const CharacterReference reference = read_character_reference({cursor_, rest}, false);
  if (reference.consumed == 0) return false;
  cursor_ += reference.consumed;
  token.kind = TokenKind::text;
  token.text = memory_.texts.store(reference.text());
  return true;
}

bool Tokenizer::read_nulls(Token& token, const char* end) {
  const char* at = cursor_;
  while (at != end && *at == '\0') ++at;
  emit_text(token, at);
  token.kind = TokenKind::nulls;
  return true;
}

void Tokenizer::read_text_of(NameId tag, TextMode mode) {
  state_ = mode == TextMode::rcdata ? State::decoded_text : State::replaced_text;
  if (mode == TextMode::plaintext)
    text_end_ = end_;
  else
    text_end_ = mode == TextMode::script ? find_script_end() : find_end_tag(kKnownNames[tag]);
}

bool Tokenizer::end_text() {
  if (state_ == State::cdata && cursor_ != end_) cursor_ += 3;  // "]]>"
  state_ = State::data;
  return false;
}

// Text whose end is already known. False at its end.
bool Tokenizer::next_in_text(Token& token) {
  if (cursor_ == text_end_) return end_text();
  if (*cursor_ == '\0') {
    read_nulls(token, text_end_);
    if (state_ == State::cdata) return true;
    token.kind = TokenKind::text;
    token.text = without_nulls(token.text);
    return true;
  }
  if (state_ != State::decoded_text) return emit_text(token, find_any<'\0'>(cursor_, text_end_));
  const char* at = cursor_;
  if (*at == '&') {
    if (read_reference(token)) return true;
    ++at;
  }
  return emit_text(token, find_any<'&', '\0'>(at, text_end_));
}

}  // namespace heddle::html::parser

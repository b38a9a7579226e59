// Tokenizes markup other than tags: comments, doctypes, CDATA sections and malformed markup.
#include "html/parser/tokenizer/characters.hpp"
#include "html/parser/tokenizer/doctype_reader.hpp"
#include "html/parser/tokenizer/scan.hpp"
#include "html/parser/tokenizer/tokenizer.hpp"

namespace heddle::html::parser {

namespace {

std::string_view view(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

// A comment at the end of the page loses an incomplete "-->".
std::string_view without_unfinished_end(std::string_view comment) {
  for (const std::string_view end : {"--!", "--", "-"})
    if (comment.ends_with(end)) return comment.substr(0, comment.size() - end.size());
  return comment;
}

}  // namespace

// False when it produces no token: "</>", or a tag that the page ends in.
bool Tokenizer::read_markup(Token& token) {
  const char next = cursor_[1];
  if (has_class(next, is_letter)) return read_tag(token);
  if (next == '!') return read_declaration(token);
  if (next == '?') return read_bogus_comment(token, cursor_ + 1);
  if (has_class(cursor_[2], is_letter)) return read_tag(token);
  if (cursor_[2] != '>') return read_bogus_comment(token, cursor_ + 2);
  cursor_ += 3;
  return false;
}

bool Tokenizer::read_declaration(Token& token) {
  const char* const at = cursor_ + 2;
  if (end_ - at >= 2 && at[0] == '-' && at[1] == '-') return read_comment(token, at + 2);
  if (starts_with(at, "doctype")) return read_doctype(token, at + 7);
  if (!allows_cdata_ || !view(at, end_).starts_with("[CDATA["))
    return read_bogus_comment(token, at);
  cursor_ = at + 7;
  state_ = State::cdata;
  const std::size_t length = view(cursor_, end_).find("]]>");
  text_end_ = length == std::string_view::npos ? end_ : cursor_ + length;
  return next_in_text(token);
}

bool Tokenizer::read_comment(Token& token, const char* begin) {
  for (const std::string_view empty : {">", "->"}) {
    if (!view(begin, end_).starts_with(empty)) continue;
    cursor_ = begin + empty.size();
    return emit_comment(token, {});
  }
  for (const char* at = begin;; ++at) {
    at = find_any<'-'>(at, end_);
    if (at == end_) {
      cursor_ = end_;
      return emit_comment(token, without_unfinished_end(view(begin, end_)));
    }
    const std::string_view rest = view(at, end_);
    if (!rest.starts_with("-->") && !rest.starts_with("--!>")) continue;
    cursor_ = at + (rest[2] == '>' ? 3 : 4);
    return emit_comment(token, view(begin, at));
  }
}

bool Tokenizer::read_bogus_comment(Token& token, const char* begin) {
  const char* const close = find_any<'>'>(begin, end_);
  cursor_ = close == end_ ? end_ : close + 1;
  return emit_comment(token, view(begin, close));
}

bool Tokenizer::emit_comment(Token& token, std::string_view text) {
  token.kind = TokenKind::comment;
  token.text = without_nulls(text);
  return true;
}

bool Tokenizer::read_doctype(Token& token, const char* begin) {
  const char* const close = find_any<'>'>(begin, end_);
  const DoctypeParts parts = read_doctype_parts(view(begin, close), close != end_);
  cursor_ = close == end_ ? end_ : close + 1;
  token.kind = TokenKind::doctype;
  token.name = name_of(parts.name, true, true);
  token.public_id = without_nulls(parts.public_id);
  token.system_id = without_nulls(parts.system_id);
  token.has_public_id = parts.has_public_id;
  token.has_system_id = parts.has_system_id;
  token.forces_quirks = parts.forces_quirks;
  return true;
}

std::string_view Tokenizer::without_nulls(std::string_view text) {
  if (text.find('\0') == std::string_view::npos) return text;
  memory_.buffer.clear();
  for (const char byte : text) {
    if (byte == '\0')
      memory_.buffer += kReplacementCharacter;
    else
      memory_.buffer += byte;
  }
  return memory_.texts.store(memory_.buffer);
}

}  // namespace heddle::html::parser

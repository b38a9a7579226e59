// Tokenizes tags: the hot path of the tokenizer. Names without capitals and values without
// references are not copied.
#include "html/parser/tokenizer/character_reference.hpp"
#include "html/parser/tokenizer/characters.hpp"
#include "html/parser/tokenizer/scan.hpp"
#include "html/parser/tokenizer/tokenizer.hpp"

namespace heddle::html::parser {

namespace {

constexpr std::size_t kWorkPerNameStep = 4;  // each reads a name at a random address

const char* skip_space(const char* at, const char* end) {
  while (at != end && has_class(*at, is_space)) ++at;
  return at;
}

// The two forms of a value: how to find the next byte that ends or changes it, and which end it.
template <char Quote>
struct QuotedValue {
  static constexpr std::ptrdiff_t kAfter = 1;  // the quote itself
  static const char* find_stop(const char* at, const char* end) {
    return find_any<Quote, '&', '\0'>(at, end);
  }
  static bool is_end(char byte) { return byte == Quote; }
};

struct UnquotedValue {
  static constexpr std::ptrdiff_t kAfter = 0;
  static const char* find_stop(const char* at, const char* end) {
    while (at != end && !has_class(*at, ends_plain_value)) ++at;
    return at;
  }
  static bool is_end(char byte) { return byte != '&' && byte != '\0'; }
};

}  // namespace

// An unterminated tag is no tag: the rest of the page is dropped, as the standard requires.
bool Tokenizer::read_tag(Token& token) {
  const bool is_end = cursor_[1] == '/';
  const char* const name = cursor_ + (is_end ? 2 : 1);
  const char* at = name;
  std::uint8_t seen = 0;
  for (; at != end_; ++at) {
    const std::uint8_t bits = class_of(*at);
    if ((bits & ends_tag_name) != 0) break;
    seen = static_cast<std::uint8_t>(seen | bits);
  }
  const std::string_view raw(name, static_cast<std::size_t>(at - name));
  token.kind = is_end ? TokenKind::end_tag : TokenKind::start_tag;
  token.name = name_of(raw, (seen & changes_in_name) != 0, !is_end);
  token.is_self_closing = false;
  token.attributes = {static_cast<std::uint32_t>(memory_.attributes.size()), 0};
  ++tags_;
  if (at != end_ && *at == '>')
    ++at;
  else
    at = read_attributes(at, token);
  if (at != nullptr) {
    cursor_ = at;
    return true;
  }
  memory_.attributes.resize(token.attributes.begin);
  cursor_ = end_;
  return false;
}

NameId Tokenizer::name_of(std::string_view raw, bool changes, bool is_new_allowed) {
  if (changes) {
    std::string& buffer = memory_.buffer;
    buffer.clear();
    for (const char letter : raw) {
      if (letter == '\0')
        buffer += kReplacementCharacter;
      else
        buffer += to_lower(letter);
    }
    raw = buffer;
  }
  if (const NameId known = find_known_name(raw)) return known;
  if (is_new_allowed) return intern(raw);
  const std::size_t steps = names_.name_steps();
  const NameId id = names_.find_name(raw);
  budget_.charge(kWorkPerNameStep * (names_.name_steps() - steps));
  return id;
}

NameId Tokenizer::intern(std::string_view name) {
  const std::size_t steps = names_.name_steps();
  const NameId id = names_.intern(name);
  budget_.charge(kWorkPerNameStep * (names_.name_steps() - steps));
  budget_.check_names(names_.new_name_count());
  return id;
}

// Returns the position after the tag's '>', nullptr when there is none.
const char* Tokenizer::read_attributes(const char* at, Token& token) {
  while (true) {
    at = skip_space(at, end_);
    if (at == end_) return nullptr;
    if (*at == '>') return at + 1;
    if (*at == '/') {
      ++at;
      token.is_self_closing = at != end_ && *at == '>';
      continue;
    }
    at = read_attribute(at, token);
    if (at == nullptr || budget_.is_exceeded()) return nullptr;
  }
}

const char* Tokenizer::read_attribute(const char* at, Token& token) {
  const char* const name = at;
  std::uint8_t seen = class_of(*at);  // the first character may be '='
  for (++at; at != end_; ++at) {
    const std::uint8_t bits = class_of(*at);
    if ((bits & ends_attribute_name) != 0) break;
    seen = static_cast<std::uint8_t>(seen | bits);
  }
  const std::string_view raw(name, static_cast<std::size_t>(at - name));
  std::string_view value = raw.substr(raw.size());  // empty, but not null
  at = skip_space(at, end_);
  const bool is_end_tag = token.kind == TokenKind::end_tag;
  const NameId id = is_end_tag ? kNoName : name_of(raw, (seen & changes_in_name) != 0, true);
  if (at != end_ && *at == '=') at = read_value(skip_space(at + 1, end_), value);
  if (at != nullptr && !is_end_tag) add_attribute(id, value, token);
  return at;
}

// Of several attributes with the same name the first wins.
void Tokenizer::add_attribute(NameId name, std::string_view value, Token& token) {
  budget_.count_attribute();
  auto& last_tag_with = memory_.last_tag_with;
  if (name >= last_tag_with.size()) last_tag_with.resize(name + std::size_t{256}, 0);
  if (last_tag_with[name] == tags_) return;
  last_tag_with[name] = tags_;
  memory_.attributes.push_back(RawAttribute{value.data(), static_cast<std::uint32_t>(value.size()),
                                            name, AttributeSpace::none});
  memory_.value_bytes += value.size();
  ++token.attributes.count;
}

const char* Tokenizer::read_value(const char* at, std::string_view& value) {
  if (at == end_ || *at == '>') return at;
  if (*at == '"') return read_value_of<QuotedValue<'"'>>(at + 1, value);
  if (*at == '\'') return read_value_of<QuotedValue<'\''>>(at + 1, value);
  return read_value_of<UnquotedValue>(at, value);
}

// Returns the position after the value, nullptr when it is unterminated.
template <class Shape>
const char* Tokenizer::read_value_of(const char* at, std::string_view& value) {
  const char* copied_until =
      nullptr;  // everything before is in the buffer; nullptr: nothing copied
  const char* const begin = at;
  while (true) {
    at = Shape::find_stop(at, end_);
    if (at == end_) return nullptr;
    if (Shape::is_end(*at)) break;
    if (copied_until == nullptr) memory_.buffer.clear();
    const char* from = copied_until == nullptr ? begin : copied_until;
    at = decode_in_value(at, from);
    if (from != begin) copied_until = from;
  }
  if (copied_until == nullptr) {
    value = {begin, static_cast<std::size_t>(at - begin)};
  } else {
    memory_.buffer.append(copied_until, at);
    value = memory_.texts.store(memory_.buffer);
  }
  return at + Shape::kAfter;
}

// At a NUL or '&': appends the text before it and its replacement to the buffer, and moves
// `copied_until` past it. A literal '&' changes nothing.
const char* Tokenizer::decode_in_value(const char* at, const char*& copied_until) {
  std::string& buffer = memory_.buffer;
  if (*at == '\0') {
    buffer.append(copied_until, at);
    buffer += kReplacementCharacter;
    return copied_until = at + 1;
  }
  const auto rest = static_cast<std::size_t>(end_ - at);
  const CharacterReference reference = read_character_reference({at, rest}, true);
  if (reference.consumed == 0) return at + 1;
  buffer.append(copied_until, at);
  buffer += reference.text();
  return copied_until = at + reference.consumed;
}

}  // namespace heddle::html::parser

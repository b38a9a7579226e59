#include "pages/outline/phrases.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace heddle::pages {

namespace {

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

// Scripts that write words without spaces between them.
bool is_unspaced(char32_t c) {
  return (c >= 0x0E00 && c <= 0x0EFF) || (c >= 0x1000 && c <= 0x109F) ||
         (c >= 0x3040 && c <= 0x30FF) || (c >= 0x3400 && c <= 0x9FFF) ||
         (c >= 0xAC00 && c <= 0xD7AF) || (c >= 0xFF00 && c <= 0xFFEF);
}

char32_t decode(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<char32_t>(static_cast<unsigned char>(text[i])) : 0U;
  };
  const char32_t lead = byte(at);
  if (lead < 0x80) return lead;
  if (lead < 0xE0) return ((lead & 0x1F) << 6) | (byte(at + 1) & 0x3F);
  if (lead < 0xF0)
    return ((lead & 0x0F) << 12) | ((byte(at + 1) & 0x3F) << 6) | (byte(at + 2) & 0x3F);
  return ((lead & 0x07) << 18) | ((byte(at + 1) & 0x3F) << 12) | ((byte(at + 2) & 0x3F) << 6) |
         (byte(at + 3) & 0x3F);
}

bool continues_word(char32_t c) {
  return (c >= '0' && c <= '9') || (is_letter(c) && !is_unspaced(c)) || is_combining_mark(c);
}

bool starts_word(std::string_view text, std::size_t at) {
  if (at == 0 || is_unspaced(decode(text, at))) return true;
  std::size_t before = at - 1;
  while (before > 0 && is_continuation(text[before])) --before;
  return !continues_word(decode(text, before));
}

bool ends_word(std::string_view text, std::size_t begin, std::size_t end) {
  if (end >= text.size()) return true;
  std::size_t last = end - 1;
  while (last > begin && is_continuation(text[last])) --last;
  return is_unspaced(decode(text, last)) || !continues_word(decode(text, end));
}

}  // namespace

std::size_t PhraseSet::slot_of(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::size_t>(static_cast<unsigned char>(text[i]));
  };
  return (byte(0) * 2654435761U + byte(1) * 40503U) % kSlots;
}

PhraseSet::PhraseSet(std::span<const Phrase> phrases)
    : phrases_(phrases.begin(), phrases.end()), first_(kSlots + 1) {
  std::stable_sort(phrases_.begin(), phrases_.end(), [](const Phrase& a, const Phrase& b) {
    const auto slot_a = slot_of(a.text);
    const auto slot_b = slot_of(b.text);
    return slot_a != slot_b ? slot_a < slot_b : a.text.size() > b.text.size();
  });
  for (const Phrase& phrase : phrases_) {
    used_.set(slot_of(phrase.text));
    ++first_[slot_of(phrase.text) + 1];
  }
  for (std::size_t slot = 0; slot < kSlots; ++slot)
    first_[slot + 1] = static_cast<std::uint16_t>(first_[slot + 1] + first_[slot]);
}

std::optional<PhraseMatch> PhraseSet::match_at(std::string_view folded, std::size_t at) const {
  const std::size_t slot = slot_of(folded.substr(at));
  if (!used_.test(slot)) return std::nullopt;
  for (std::size_t i = first_[slot]; i < first_[slot + 1]; ++i) {
    const Phrase& phrase = phrases_[i];
    if (folded.compare(at, phrase.text.size(), phrase.text) != 0) continue;
    const std::size_t end = at + phrase.text.size();
    if (starts_word(folded, at) && ends_word(folded, at, end))
      return PhraseMatch{phrase.meaning, at, end};
  }
  return std::nullopt;
}

std::optional<PhraseMatch> PhraseSet::find(std::string_view folded, std::size_t from) const {
  for (std::size_t at = from; at + 2 <= folded.size(); ++at) {
    if (is_continuation(folded[at])) continue;
    if (const auto match = match_at(folded, at)) return match;
  }
  return std::nullopt;
}

std::optional<int> PhraseSet::whole(std::string_view folded) const {
  if (folded.size() < 2) return std::nullopt;
  const std::size_t slot = slot_of(folded);
  for (std::size_t i = first_[slot]; i < first_[slot + 1]; ++i)
    if (phrases_[i].text == folded) return phrases_[i].meaning;
  return std::nullopt;
}

}  // namespace heddle::pages

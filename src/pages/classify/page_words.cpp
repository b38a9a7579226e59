#include "pages/classify/page_words.hpp"

#include <array>

namespace heddle::pages {

namespace {

constexpr auto kSeparators =
    std::to_array<std::string_view>({"|", " - ", " – ", " — ", " · ", " » ", " :: ", ": ", "\n"});

std::size_t part_end(std::string_view text, std::size_t& separator) {
  std::size_t end = text.size();
  separator = 0;
  for (const std::string_view each : kSeparators) {
    const std::size_t at = text.find(each);
    if (at >= end) continue;
    end = at;
    separator = each.size();
  }
  return end;
}

std::size_t letters(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_mark = byte < 0x80 && !(byte >= '0' && byte <= '9') &&
                         !(byte >= 'a' && byte <= 'z') && !(byte >= 'A' && byte <= 'Z');
    count += is_mark ? 0 : 1;
  }
  return count;
}

}  // namespace

PhraseShare largest_share(const PhraseSet& phrases, std::string_view folded) {
  PhraseShare best;
  while (!folded.empty()) {
    std::size_t separator = 0;
    const std::size_t end = part_end(folded, separator);
    const std::string_view part = folded.substr(0, end);
    const std::size_t whole = letters(part);
    std::size_t from = 0;
    while (const auto match = whole == 0 ? std::nullopt : phrases.find(part, from)) {
      const std::string_view said = part.substr(match->begin, match->end - match->begin);
      const double share = double(letters(said)) / double(whole);
      if (share > best.share) best = {match->meaning, share};
      from = match->end;
    }
    folded.remove_prefix(end + separator);
    if (separator == 0) break;
  }
  return best;
}

}  // namespace heddle::pages

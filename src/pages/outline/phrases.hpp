// PhraseSet finds words and phrases of many languages in a text, in one pass. Immutable.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace heddle::pages {

// A phrase in lower case (as fold_case writes it, at least two bytes) and what it means to its set.
struct Phrase {
  std::string_view text;
  int meaning = 0;
};

struct PhraseMatch {
  int meaning = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
};

class PhraseSet {
 public:
  // The texts must outlive the set.
  explicit PhraseSet(std::span<const Phrase> phrases);

  // The first match at or after `from`, the longest of those that begin there; whole words only,
  // except in scripts without spaces (Chinese, Japanese, Korean, Thai).
  [[nodiscard]] std::optional<PhraseMatch> find(std::string_view folded,
                                                std::size_t from = 0) const;
  // The meaning when the whole text is one phrase.
  [[nodiscard]] std::optional<int> whole(std::string_view folded) const;
  [[nodiscard]] bool occurs_in(std::string_view folded) const { return find(folded).has_value(); }

 private:
  static constexpr std::size_t kSlots = 4096;
  static std::size_t slot_of(std::string_view text);
  [[nodiscard]] std::optional<PhraseMatch> match_at(std::string_view folded, std::size_t at) const;

  std::vector<Phrase> phrases_;  // by slot, longer ones first
  std::vector<std::uint16_t> first_;
  std::bitset<kSlots> used_;
};

}  // namespace heddle::pages

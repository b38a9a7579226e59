// ByteSet is a set of byte values; includes the constant sets of Lua's pattern classes (%a, %d, …).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace heddle::script {

class ByteSet {
 public:
  [[nodiscard]] constexpr bool contains(unsigned char byte) const {
    return (words_[byte >> 6U] >> (byte & 63U) & 1U) != 0;
  }
  constexpr void add(unsigned char byte) { words_[byte >> 6U] |= std::uint64_t{1} << (byte & 63U); }
  constexpr void add_range(unsigned char first, unsigned char last) {
    for (unsigned byte = first; byte <= last; ++byte) add(static_cast<unsigned char>(byte));
  }
  constexpr void add(const ByteSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }
  constexpr void invert() {
    for (std::uint64_t& word : words_) word = ~word;
  }

 private:
  std::array<std::uint64_t, 4> words_{};
};

// The bytes of a class, given by its lower-case letter, in the C locale; empty for other letters.
constexpr ByteSet class_set(char letter) {
  ByteSet set;
  const auto add_letters = [&set] {
    set.add_range('a', 'z');
    set.add_range('A', 'Z');
  };
  switch (letter) {
    case 'a':
      add_letters();
      break;
    case 'c':
      set.add_range(0, 31);
      set.add(127);
      break;
    case 'd':
      set.add_range('0', '9');
      break;
    case 'g':
      set.add_range(33, 126);
      break;
    case 'l':
      set.add_range('a', 'z');
      break;
    case 'p':
      set.add_range('!', '/');
      set.add_range(':', '@');
      set.add_range('[', '`');
      set.add_range('{', '~');
      break;
    case 's':
      set.add_range(9, 13);
      set.add(' ');
      break;
    case 'u':
      set.add_range('A', 'Z');
      break;
    case 'w':
      add_letters();
      set.add_range('0', '9');
      break;
    case 'x':
      set.add_range('0', '9');
      set.add_range('a', 'f');
      set.add_range('A', 'F');
      break;
    case 'z':  // deprecated: patterns may contain a zero byte themselves
      set.add(static_cast<unsigned char>(0));
      break;
    default:
      break;
  }
  return set;
}

constexpr bool is_class_letter(char letter) {
  return letter != '\0' &&
         std::string_view("acdglpsuwxzACDGLPSUWXZ").find(letter) != std::string_view::npos;
}

// What "%" and this byte match: a class, its complement for a capital, or the byte itself.
inline constexpr auto kEscapedSets = [] {
  std::array<ByteSet, 256> sets{};
  for (unsigned byte = 0; byte < sets.size(); ++byte) {
    const char letter = static_cast<char>(byte);
    if (!is_class_letter(letter)) {
      sets[byte].add(static_cast<unsigned char>(byte));
      continue;
    }
    const bool is_capital = letter >= 'A' && letter <= 'Z';
    sets[byte] = class_set(is_capital ? static_cast<char>(letter + 32) : letter);
    if (is_capital) sets[byte].invert();
  }
  return sets;
}();

inline constexpr auto kSingleByteSets = [] {
  std::array<ByteSet, 256> sets{};
  for (unsigned byte = 0; byte < sets.size(); ++byte)
    sets[byte].add(static_cast<unsigned char>(byte));
  return sets;
}();

inline constexpr auto kEveryByte = [] {
  ByteSet set;
  set.invert();
  return set;
}();

}  // namespace heddle::script

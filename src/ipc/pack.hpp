// Values to bytes and back. What comes from another process is not trusted: a reader that runs
// past the end or meets an impossible value fails once and then gives only zeroes and empty texts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace heddle::ipc {

inline constexpr std::uint64_t kFirstOfTwoBytes = 0x80;  // of the numbers

class Packer {
 public:
  void number(std::uint64_t value) {  // short for small ones
    if (value < kFirstOfTwoBytes)
      bytes_.push_back(static_cast<char>(value));
    else
      long_number(value);
  }
  void signed_number(std::int64_t value);
  void real(double value);
  void flag(bool value) { bytes_.push_back(value ? '\1' : '\0'); }
  void text(std::string_view value);              // any bytes
  void raw(const void* bytes, std::size_t size);  // without its length

  [[nodiscard]] std::string take() { return std::exchange(bytes_, {}); }

 private:
  void long_number(std::uint64_t value);

  std::string bytes_;
};

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes)
      : rest_(bytes), memory_left_(kFreeMemory + kMemoryPerByte * bytes.size()) {}

  std::uint64_t number() {
    const bool is_short = is_fine_ && !rest_.empty() && static_cast<signed char>(rest_[0]) >= 0;
    if (!is_short) return long_number();
    const auto value = static_cast<unsigned char>(rest_[0]);
    rest_.remove_prefix(1);
    return value;
  }
  std::int64_t signed_number();
  double real();
  bool flag();
  std::string text();
  std::string_view text_view();  // into the bytes given
  void raw(void* bytes, std::size_t size);
  // How many elements follow, each of at least `least_bytes`: never more than there is room for.
  std::size_t count(std::size_t least_bytes = 1);
  // To be asked before memory is taken for elements. Fails when they would take many times more
  // than the bytes they came in: a list of a million empty texts is one byte each here and 32
  // there.
  bool may_take(std::size_t elements, std::size_t size_of_each);

  void fail() { is_fine_ = false; }
  [[nodiscard]] bool is_fine() const { return is_fine_; }
  // Everything was read and nothing is left.
  [[nodiscard]] bool is_complete() const { return is_fine_ && rest_.empty(); }

 private:
  std::uint64_t long_number();

  static constexpr std::size_t kFreeMemory = 64UL << 20;
  static constexpr std::size_t kMemoryPerByte = 8;

  std::string_view rest_;
  std::size_t memory_left_;
  bool is_fine_ = true;
};

}  // namespace heddle::ipc

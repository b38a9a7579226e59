// Packer turns values into bytes, Unpacker reads them back. Input is untrusted: an Unpacker that
// reads past the end or finds an invalid value fails and from then on returns zeroes and empty
// texts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace heddle::ipc {

inline constexpr std::uint64_t kFirstTwoByteValue = 0x80;  // smaller numbers take one byte

class Packer {
 public:
  void number(std::uint64_t value) {  // variable length
    if (value < kFirstTwoByteValue)
      bytes_.push_back(static_cast<char>(value));
    else
      long_number(value);
  }
  void signed_number(std::int64_t value);
  void flag(bool value) { bytes_.push_back(value ? '\1' : '\0'); }
  void text(std::string_view value);              // any bytes
  void raw(const void* bytes, std::size_t size);  // without a length prefix

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
    const bool is_short = is_ok_ && !rest_.empty() && static_cast<signed char>(rest_[0]) >= 0;
    if (!is_short) return long_number();
    const auto value = static_cast<unsigned char>(rest_[0]);
    rest_.remove_prefix(1);
    return value;
  }
  std::int64_t signed_number();
  bool flag();
  std::string_view text_view();  // points into the input
  void raw(void* bytes, std::size_t size);
  // Number of elements that follow, each of at least `min_bytes`: bounded by the bytes left.
  std::size_t count(std::size_t min_bytes = 1);
  // Call before allocating elements. Fails when they would need many times the memory of their
  // packed bytes: an empty text is 1 byte packed and 32 in memory.
  bool reserve_memory(std::size_t elements, std::size_t size_of_each);

  void fail() { is_ok_ = false; }
  [[nodiscard]] bool is_ok() const { return is_ok_; }
  // All input was read without an error.
  [[nodiscard]] bool is_complete() const { return is_ok_ && rest_.empty(); }

 private:
  std::uint64_t long_number();

  static constexpr std::size_t kFreeMemory = 64UL << 20;
  static constexpr std::size_t kMemoryPerByte = 8;

  std::string_view rest_;
  std::size_t memory_left_;
  bool is_ok_ = true;
};

}  // namespace heddle::ipc

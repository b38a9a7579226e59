#include "ipc/pack.hpp"

#include <algorithm>
#include <cstring>

namespace heddle::ipc {
namespace {

constexpr unsigned kMaxNumberBytes = 10;  // bytes of seven bits each

}  // namespace

void Packer::long_number(std::uint64_t value) {
  char bytes[kMaxNumberBytes];
  unsigned count = 0;
  for (; value >= kFirstTwoByteValue; value >>= 7) bytes[count++] = static_cast<char>(value | 0x80);
  bytes[count++] = static_cast<char>(value);
  bytes_.append(bytes, count);
}

// Zigzag: 0, -1, 1, -2 become 0, 1, 2, 3, so that small values of either sign stay short.
void Packer::signed_number(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  number((bits << 1) ^ (value < 0 ? ~std::uint64_t{0} : 0));
}

void Packer::text(std::string_view value) {
  number(value.size());
  bytes_.append(value);
}

void Packer::raw(const void* bytes, std::size_t size) {
  bytes_.append(static_cast<const char*>(bytes), size);
}

// Every number has exactly one encoding: no leading zeroes, no bits beyond 64.
std::uint64_t Unpacker::long_number() {
  std::uint64_t value = 0;
  const std::size_t available = std::min<std::size_t>(rest_.size(), kMaxNumberBytes);
  for (unsigned i = 0; i < available && is_ok_; ++i) {
    const auto byte = static_cast<unsigned char>(rest_[i]);
    value |= static_cast<std::uint64_t>(byte & 0x7F) << (7 * i);
    if (byte >= kFirstTwoByteValue) continue;
    const bool has_leading_zero = byte == 0 && i > 0;
    const bool is_too_big = i == kMaxNumberBytes - 1 && byte > 1;
    if (has_leading_zero || is_too_big) break;
    rest_.remove_prefix(i + 1);
    return value;
  }
  fail();
  return 0;
}

std::int64_t Unpacker::signed_number() {
  const std::uint64_t bits = number();
  return static_cast<std::int64_t>((bits >> 1) ^ (~(bits & 1) + 1));
}

bool Unpacker::flag() {
  const std::uint64_t value = number();
  if (value > 1) fail();
  return value == 1;
}

std::string_view Unpacker::text_view() {
  const std::size_t size = count();
  const std::string_view value = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return value;
}

void Unpacker::raw(void* bytes, std::size_t size) {
  if (size > rest_.size()) fail();
  if (!is_ok_) {
    std::memset(bytes, 0, size);
    return;
  }
  std::memcpy(bytes, rest_.data(), size);
  rest_.remove_prefix(size);
}

std::size_t Unpacker::count(std::size_t min_bytes) {
  const std::uint64_t value = number();
  if (value <= rest_.size() / std::max<std::size_t>(min_bytes, 1)) return value;
  fail();
  return 0;
}

bool Unpacker::reserve_memory(std::size_t elements, std::size_t size_of_each) {
  if (elements > memory_left_ / size_of_each) fail();
  if (!is_ok_) return false;
  memory_left_ -= elements * size_of_each;
  return true;
}

}  // namespace heddle::ipc

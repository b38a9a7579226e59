// pack() and unpack() for numbers, enums, texts, times, hashes, lists and maps of anything that has
// both, plain structs (shape.hpp), Results and whole messages. For other types
// declare both functions in this namespace.
#pragma once

#include <array>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/hash.hpp"
#include "base/ids.hpp"
#include "base/result.hpp"
#include "ipc/frame.hpp"
#include "ipc/pack.hpp"
#include "ipc/values/shape.hpp"

namespace heddle::ipc {

template <class T>
concept Integer = std::integral<T> && !std::same_as<T, bool>;

template <class T>
concept Enum = std::is_enum_v<T>;

template <std::same_as<bool> T>
void pack(Packer& packer, T value) {
  packer.flag(value);
}

template <std::same_as<bool> T>
void unpack(Unpacker& unpacker, T& value) {
  value = unpacker.flag();
}

template <Integer T>
void pack(Packer& packer, T value) {
  if constexpr (std::signed_integral<T>)
    packer.signed_number(value);
  else
    packer.number(value);
}

template <Integer T>
void unpack(Unpacker& unpacker, T& value) {
  const auto wide = [&] {
    if constexpr (std::signed_integral<T>)
      return unpacker.signed_number();
    else
      return unpacker.number();
  }();
  value = static_cast<T>(wide);
  if (value == wide) return;
  unpacker.fail();
  value = 0;
}

template <Enum T>
void pack(Packer& packer, T value) {
  packer.number(static_cast<std::uint64_t>(value));
}

template <Enum T>
void unpack(Unpacker& unpacker, T& value) {
  static_assert(enum_count<T>() > 0);
  const std::uint64_t number = unpacker.number();
  if (number >= enum_count<T>()) unpacker.fail();
  value = static_cast<T>(number < enum_count<T>() ? number : 0);
}

inline void pack(Packer& packer, const std::string& value) {
  packer.text(value);
}

inline void unpack(Unpacker& unpacker, std::string& value) {
  value = unpacker.text_view();
}

template <Integer Rep, class Period>
void pack(Packer& packer, const std::chrono::duration<Rep, Period>& value) {
  pack(packer, value.count());
}

template <Integer Rep, class Period>
void unpack(Unpacker& unpacker, std::chrono::duration<Rep, Period>& value) {
  Rep count{};
  unpack(unpacker, count);
  value = std::chrono::duration<Rep, Period>(count);
}

// Steady clocks of two machines differ: only wall times are sent.
template <class Duration>
void pack(Packer& packer, const std::chrono::sys_time<Duration>& value) {
  pack(packer, value.time_since_epoch());
}

template <class Duration>
void unpack(Unpacker& unpacker, std::chrono::sys_time<Duration>& value) {
  Duration since_epoch{};
  unpack(unpacker, since_epoch);
  value = std::chrono::sys_time<Duration>(since_epoch);
}

// Fixed size: the bits are uniform, so a variable-length number would not be shorter.
inline void pack(Packer& packer, const Hash128& hash) {
  packer.raw(&hash, sizeof hash);
}

inline void unpack(Unpacker& unpacker, Hash128& hash) {
  unpacker.raw(&hash, sizeof hash);
}

static_assert(std::has_unique_object_representations_v<Hash128>);

template <>
struct MinBytes<Hash128> : std::integral_constant<std::size_t, sizeof(Hash128)> {};

template <class T>
void pack(Packer& packer, const std::optional<T>& value) {
  packer.flag(value.has_value());
  if (value) pack(packer, *value);
}

template <class T>
void unpack(Unpacker& unpacker, std::optional<T>& value) {
  value.reset();
  if (unpacker.flag()) unpack(unpacker, value.emplace());
}

template <class T, std::size_t N>
void pack(Packer& packer, const std::array<T, N>& values) {
  for (const T& value : values) pack(packer, value);
}

template <class T, std::size_t N>
void unpack(Unpacker& unpacker, std::array<T, N>& values) {
  for (T& value : values) unpack(unpacker, value);
}

template <class T>
void pack(Packer& packer, const std::vector<T>& values) {
  packer.number(values.size());
  for (const T& value : values) pack(packer, value);
}

template <class T>
void unpack(Unpacker& unpacker, std::vector<T>& values) {
  values.clear();
  const std::size_t count = unpacker.count(kMinBytes<T>);
  if (!unpacker.reserve_memory(count, sizeof(T))) return;
  values.reserve(count);
  for (std::size_t i = 0; i < count && unpacker.is_ok(); ++i)
    unpack(unpacker, values.emplace_back());
}

template <class Key, class Value>
void pack(Packer& packer, const std::map<Key, Value>& values) {
  packer.number(values.size());
  for (const auto& [key, value] : values) {
    pack(packer, key);
    pack(packer, value);
  }
}

// Keys must be sorted and unique.
template <class Key, class Value>
void unpack(Unpacker& unpacker, std::map<Key, Value>& values) {
  values.clear();
  const std::size_t count = unpacker.count(kMinBytes<Key> + kMinBytes<Value>);
  constexpr std::size_t kNodeSize = sizeof(std::pair<const Key, Value>) + 4 * sizeof(void*);
  if (!unpacker.reserve_memory(count, kNodeSize)) return;
  for (std::size_t i = 0; i < count && unpacker.is_ok(); ++i) {
    std::pair<Key, Value> entry;
    unpack(unpacker, entry);
    if (!values.empty() && !(values.rbegin()->first < entry.first)) return unpacker.fail();
    values.emplace_hint(values.end(), std::move(entry));
  }
}

template <Struct T>
void pack(Packer& packer, const T& value) {
  std::apply([&](const auto&... fields) { (pack(packer, fields), ...); }, fields_of(value));
}

template <Struct T>
void unpack(Unpacker& unpacker, T& value) {
  std::apply([&](auto&... fields) { (unpack(unpacker, fields), ...); }, fields_of(value));
}

template <class T>
void pack(Packer& packer, const Result<T>& result) {
  packer.flag(bool(result));
  if (result)
    pack(packer, *result);
  else
    pack(packer, result.error());
}

template <class T>
void unpack(Unpacker& unpacker, Result<T>& result) {
  if (unpacker.flag()) {
    T value{};
    unpack(unpacker, value);
    result = std::move(value);
  } else {
    Error error{};
    unpack(unpacker, error);
    result = std::move(error);
  }
}

// Packs a whole message.
template <class T>
std::string packed(const T& value) {
  Packer packer;
  pack(packer, value);
  return packer.take();
}

// `corrupt` unless the bytes are exactly one such value.
template <class T>
Result<T> unpacked(std::string_view bytes) {
  Unpacker unpacker(bytes);
  T value{};
  unpack(unpacker, value);
  if (!unpacker.is_complete())
    return Error{ErrorCode::corrupt, "a message could not be understood"};
  return value;
}

// `corrupt` when it cannot be read: the other side violated the protocol.
template <class T>
Result<T> decode_frame(const Frame& frame) {
  auto value = unpacked<T>(frame.body);
  if (value) return value;
  return Error{ErrorCode::corrupt,
               "message of type " + std::to_string(frame.type) + ": " + value.error().message};
}

// Passes the decoded value to `use`.
template <class T, class Use>
Status handle_frame(const Frame& frame, Use use) {
  auto value = decode_frame<T>(frame);
  if (!value) return std::move(value).error();
  use(std::move(*value));
  return Done{};
}

}  // namespace heddle::ipc

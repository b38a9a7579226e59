// pack() and unpack() for numbers, enums, texts and times.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>

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

template <std::same_as<double> T>
void pack(Packer& packer, T value) {
  packer.real(value);
}

template <std::same_as<double> T>
void unpack(Unpacker& unpacker, T& value) {
  value = unpacker.real();
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

}  // namespace heddle::ipc

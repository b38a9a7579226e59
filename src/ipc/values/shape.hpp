// Compile-time facts about packed types: the fields of a struct, the number of values of an enum,
// the minimum packed size.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "base/ids.hpp"

namespace heddle::ipc {

// Specialised by HEDDLE_IPC_FIELDS: of(value) is a tuple of references to all fields.
template <class T>
struct Shape;

// Lists all fields of a struct in order. A macro because one list serves both the structured
// binding, which does not compile when a field is missing, and the tuple. In namespace heddle::ipc.
#define HEDDLE_IPC_FIELDS(Type, ...)         \
  template <>                                \
  struct Shape<Type> {                       \
    template <class Value>                   \
    static constexpr auto of(Value& value) { \
      auto& [__VA_ARGS__] = value;           \
      return std::tie(__VA_ARGS__);          \
    }                                        \
  }

template <class First, class Second>
struct Shape<std::pair<First, Second>> {
  static constexpr auto of(auto& pair) { return std::tie(pair.first, pair.second); }
};

template <class Kind>
struct Shape<TextId<Kind>> {
  static constexpr auto of(auto& id) { return std::tie(id.text); }
};

template <class T>
concept Shaped = requires(T& value) {
  Shape<std::remove_const_t<T>>::of(value);
};

template <class T>
using FieldsOf = decltype(Shape<T>::of(std::declval<T&>()));

// Whether an enum has a name for this value. The compiler spells those without as "(Enum)7".
template <auto Value>
consteval bool has_name() {
  const std::string_view function = __PRETTY_FUNCTION__;
  const std::size_t start = function.rfind(' ') + 1;
  return function[start] != '(';
}

// Enum values must be 0, 1, 2 … without gaps.
template <class Enum, std::size_t From = 0>
consteval std::size_t enum_count() {
  if constexpr (has_name<static_cast<Enum>(From)>())
    return enum_count<Enum, From + 1>();
  else
    return From;
}

// Minimum packed size of a value, so that a list cannot claim more elements than can follow.
template <class T>
struct MinBytes : std::integral_constant<std::size_t, 1> {};

template <class T>
inline constexpr std::size_t kMinBytes = MinBytes<T>::value;

template <class... Parts>
inline constexpr std::size_t kMinBytes<std::tuple<Parts&...>> = (std::size_t{0} + ... +
                                                                 kMinBytes<Parts>);

template <std::floating_point T>
struct MinBytes<T> : std::integral_constant<std::size_t, sizeof(double)> {};

template <class T, std::size_t N>
struct MinBytes<std::array<T, N>> : std::integral_constant<std::size_t, N * kMinBytes<T>> {};

template <Shaped T>
struct MinBytes<T> : std::integral_constant<std::size_t, kMinBytes<FieldsOf<T>>> {};

}  // namespace heddle::ipc

// Compile-time facts about packed types: the fields of a struct, the number of values of an enum,
// the minimum packed size.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace heddle::ipc {

// Stands for a value of any type, to find out how many fields a struct has.
struct AnyField {
  template <class T>
  operator T() const;  // NOLINT(google-explicit-constructor): never called
};

template <class T, std::size_t... I>
constexpr bool takes_fields(std::index_sequence<I...> /*numbers*/) {
  return requires {
    T{(static_cast<void>(I), AnyField{})...};
  };
}

inline constexpr std::size_t kMostFields = 24;

// Counts down, so that no default of a field is looked at: GCC 12 fails at some of them.
template <class T, std::size_t N = kMostFields>
constexpr std::size_t field_count() {
  if constexpr (N == 0 || takes_fields<T>(std::make_index_sequence<N>()))
    return N;
  else
    return field_count<T, N - 1>();
}

template <class T>
concept Pair = requires {
  typename T::first_type;
  typename T::second_type;
};

// A plain struct is packed field by field, in the order of their declaration: a new field needs no
// other line. Arrays have a tuple_size too.
template <class T>
concept Struct = Pair<T> ||
    (std::is_class_v<T>&& std::is_aggregate_v<T> && !requires { std::tuple_size<T>::value; });

// All fields of a struct, as a tuple of references. The language can bind fields only by their
// number, hence one line for each.
#define HEDDLE_BIND_FIELDS(Count, ...) \
  if constexpr (kCount == Count) {     \
    auto& [__VA_ARGS__] = value;       \
    return std::tie(__VA_ARGS__);      \
  } else
template <class T>
constexpr auto fields_of(T& value) {
  using Plain = std::remove_const_t<T>;
  constexpr std::size_t kCount = Pair<Plain> ? 2 : field_count<Plain>();
  static_assert(kCount < kMostFields, "add a line and raise kMostFields");
  // clang-format off
  if constexpr (kCount == 0) return std::tie(); else
  HEDDLE_BIND_FIELDS(1, a)
  HEDDLE_BIND_FIELDS(2, a, b)
  HEDDLE_BIND_FIELDS(3, a, b, c)
  HEDDLE_BIND_FIELDS(4, a, b, c, d)
  HEDDLE_BIND_FIELDS(5, a, b, c, d, e)
  HEDDLE_BIND_FIELDS(6, a, b, c, d, e, f)
  HEDDLE_BIND_FIELDS(7, a, b, c, d, e, f, g)
  HEDDLE_BIND_FIELDS(8, a, b, c, d, e, f, g, h)
  HEDDLE_BIND_FIELDS(9, a, b, c, d, e, f, g, h, i)
  HEDDLE_BIND_FIELDS(10, a, b, c, d, e, f, g, h, i, j)
  HEDDLE_BIND_FIELDS(11, a, b, c, d, e, f, g, h, i, j, k)
  HEDDLE_BIND_FIELDS(12, a, b, c, d, e, f, g, h, i, j, k, l)
  HEDDLE_BIND_FIELDS(13, a, b, c, d, e, f, g, h, i, j, k, l, m)
  HEDDLE_BIND_FIELDS(14, a, b, c, d, e, f, g, h, i, j, k, l, m, n)
  HEDDLE_BIND_FIELDS(15, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o)
  HEDDLE_BIND_FIELDS(16, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
  HEDDLE_BIND_FIELDS(17, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q)
  HEDDLE_BIND_FIELDS(18, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r)
  HEDDLE_BIND_FIELDS(19, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s)
  HEDDLE_BIND_FIELDS(20, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t)
  HEDDLE_BIND_FIELDS(21, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u)
  HEDDLE_BIND_FIELDS(22, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v)
  HEDDLE_BIND_FIELDS(23, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w)
  return std::tie();
  // clang-format on
}
#undef HEDDLE_BIND_FIELDS

template <class T>
using FieldsOf = decltype(fields_of(std::declval<T&>()));

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

template <class T, std::size_t N>
struct MinBytes<std::array<T, N>> : std::integral_constant<std::size_t, N * kMinBytes<T>> {};

template <Struct T>
struct MinBytes<T> : std::integral_constant<std::size_t, kMinBytes<FieldsOf<T>>> {};

}  // namespace heddle::ipc

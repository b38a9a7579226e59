// For tests: whether two values are equal in every field.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/time.hpp"
#include "ipc/values/generic.hpp"

namespace heddle::ipc::testing {

template <class T>
bool same(const T& left, const T& right);

template <class T>
struct SameValue {
  static bool of(const T& left, const T& right) {
    if constexpr (Struct<T>)
      return of_fields(fields_of(left), fields_of(right));
    else
      return left == right;
  }

 private:
  template <class... Fields>
  static bool of_fields(const std::tuple<const Fields&...>& left,
                        const std::tuple<const Fields&...>& right) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return (same(std::get<I>(left), std::get<I>(right)) && ...);
    }
    (std::index_sequence_for<Fields...>());
  }
};

template <class T>
struct SameValue<std::optional<T>> {
  static bool of(const std::optional<T>& left, const std::optional<T>& right) {
    return left.has_value() == right.has_value() && (!left || same(*left, *right));
  }
};

template <class First, class Second>
struct SameValue<std::pair<First, Second>> {
  static bool of(const std::pair<First, Second>& left, const std::pair<First, Second>& right) {
    return same(left.first, right.first) && same(left.second, right.second);
  }
};

template <class List>
bool same_elements(const List& left, const List& right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](const auto& one, const auto& other) { return same(one, other); });
}

template <class T>
struct SameValue<std::vector<T>> {
  static bool of(const std::vector<T>& left, const std::vector<T>& right) {
    return same_elements(left, right);
  }
};

template <class T, std::size_t N>
struct SameValue<std::array<T, N>> {
  static bool of(const std::array<T, N>& left, const std::array<T, N>& right) {
    return same_elements(left, right);
  }
};

template <class Key, class Value>
struct SameValue<std::map<Key, Value>> {
  static bool of(const std::map<Key, Value>& left, const std::map<Key, Value>& right) {
    return same_elements(left, right);
  }
};

template <class T>
struct SameValue<Result<T>> {
  static bool of(const Result<T>& left, const Result<T>& right) {
    if (bool(left) != bool(right)) return false;
    return left ? same(*left, *right) : same(left.error(), right.error());
  }
};

template <class T>
bool same(const T& left, const T& right) {
  return SameValue<T>::of(left, right);
}

}  // namespace heddle::ipc::testing

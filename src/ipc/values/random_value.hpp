// For tests, benches and fuzz targets: fills every field of a value at random. Uses the field list
// of a struct, which the compiler checks for completeness.
#pragma once

#include <bit>
#include <limits>
#include <random>

#include "ipc/values/generic.hpp"

namespace heddle::ipc::testing {

using Random = std::mt19937_64;

inline std::size_t random_size(Random& random) {
  return random() % 3 == 0 ? 0 : random() % 5;
}

inline void fill(Random& random, std::string& text) {
  text.resize(random() % 8 == 0 ? random() % 300 : random_size(random));
  for (char& byte : text) byte = static_cast<char>(random());
}

inline void fill(Random& random, bool& value) {
  value = random() % 2 == 0;
}

template <Integer T>
void fill(Random& random, T& value) {
  const std::uint64_t bits = random() >> (random() % 64);
  value = static_cast<T>(random() % 2 == 0 ? bits : ~bits);
  if (random() % 16 == 0) value = std::numeric_limits<T>::min();
  if (random() % 16 == 0) value = std::numeric_limits<T>::max();
}

template <Enum T>
void fill(Random& random, T& value) {
  value = static_cast<T>(random() % enum_count<T>());
}

inline void fill(Random& random, Hash128& value) {
  value = {random(), random()};
}

inline void fill(Random& /*random*/, Done& /*value*/) {}

template <class Kind>
void fill(Random& random, TextId<Kind>& id) {
  fill(random, id.text);
}

template <class Rep, class Period>
void fill(Random& random, std::chrono::duration<Rep, Period>& value) {
  Rep count{};
  fill(random, count);
  value = std::chrono::duration<Rep, Period>(count);
}

inline void fill(Random& random, WallTime& value) {
  WallTime::duration since_epoch{};
  fill(random, since_epoch);
  value = WallTime(since_epoch);
}

template <class T>
void fill(Random& random, std::optional<T>& value);
template <class First, class Second>
void fill(Random& random, std::pair<First, Second>& value);
template <class T, std::size_t N>
void fill(Random& random, std::array<T, N>& values);
template <class T>
void fill(Random& random, std::vector<T>& values);
template <class Key, class Value>
void fill(Random& random, std::map<Key, Value>& values);
template <class T>
void fill(Random& random, Result<T>& result);

template <Struct T>
void fill(Random& random, T& value) {
  std::apply([&](auto&... fields) { (fill(random, fields), ...); }, fields_of(value));
}

template <class T>
void fill(Random& random, std::optional<T>& value) {
  value.reset();
  if (random() % 2 == 0) fill(random, value.emplace());
}

template <class First, class Second>
void fill(Random& random, std::pair<First, Second>& value) {
  fill(random, value.first);
  fill(random, value.second);
}

template <class T, std::size_t N>
void fill(Random& random, std::array<T, N>& values) {
  for (T& value : values) fill(random, value);
}

template <class T>
void fill(Random& random, std::vector<T>& values) {
  values.resize(random_size(random));
  for (T& value : values) fill(random, value);
}

template <class Key, class Value>
void fill(Random& random, std::map<Key, Value>& values) {
  for (std::size_t size = random_size(random); size > 0; --size) {
    std::pair<Key, Value> entry;
    fill(random, entry);
    values.insert(std::move(entry));
  }
}

template <class T>
void fill(Random& random, Result<T>& result) {
  if (random() % 2 == 0) {
    T value{};
    fill(random, value);
    result = std::move(value);
  } else {
    Error error{};
    fill(random, error);
    result = std::move(error);
  }
}

template <class T>
T random_value(Random& random) {
  T value{};
  fill(random, value);
  return value;
}

}  // namespace heddle::ipc::testing

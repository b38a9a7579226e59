// pack() and unpack() for optional values, pairs, lists and maps of anything that has both. Order
// is kept.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "ipc/pack.hpp"
#include "ipc/values/shape.hpp"

namespace heddle::ipc {

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

template <class First, class Second>
void pack(Packer& packer, const std::pair<First, Second>& value) {
  pack(packer, value.first);
  pack(packer, value.second);
}

template <class First, class Second>
void unpack(Unpacker& unpacker, std::pair<First, Second>& value) {
  unpack(unpacker, value.first);
  unpack(unpacker, value.second);
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

}  // namespace heddle::ipc

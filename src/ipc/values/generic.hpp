// pack() and unpack() for structs whose fields are listed (shape.hpp), Results and whole messages;
// see also scalars.hpp and lists.hpp. For other types declare both functions in this namespace.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/result.hpp"
#include "ipc/pack.hpp"
#include "ipc/values/lists.hpp"
#include "ipc/values/scalars.hpp"
#include "ipc/values/shape.hpp"

namespace heddle::ipc {

inline void pack(Packer& /*packer*/, const Done& /*value*/) {}
inline void unpack(Unpacker& /*unpacker*/, Done& /*value*/) {}

template <Shaped T>
void pack(Packer& packer, const T& value) {
  std::apply([&](const auto&... fields) { (pack(packer, fields), ...); }, Shape<T>::of(value));
}

template <Shaped T>
void unpack(Unpacker& unpacker, T& value) {
  std::apply([&](auto&... fields) { (unpack(unpacker, fields), ...); }, Shape<T>::of(value));
}

HEDDLE_IPC_FIELDS(Error, code, message);

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

// For a message that is itself a Result: that Result, or `corrupt`.
template <class T>
Result<T> unpacked_result(std::string_view bytes) {
  auto result = unpacked<Result<T>>(bytes);
  if (!result) return std::move(result).error();
  return *std::move(result);
}

}  // namespace heddle::ipc

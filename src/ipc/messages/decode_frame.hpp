// Decodes the body of a frame. Include from source files only.
#pragma once

#include <string>
#include <utility>

#include "base/result.hpp"
#include "ipc/frame.hpp"
#include "ipc/values/generic.hpp"

namespace heddle::ipc {

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

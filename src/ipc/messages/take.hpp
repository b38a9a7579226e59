// What a frame carries, given to whoever it is for. For source files only.
#pragma once

#include <string>
#include <utility>

#include "base/result.hpp"
#include "ipc/frame.hpp"
#include "ipc/values/generic.hpp"

namespace heddle::ipc {

// `corrupt` when it cannot be read: then the other side has broken the rules.
template <class T>
Result<T> content_of(const Frame& frame) {
  auto value = unpacked<T>(frame.body);
  if (value) return value;
  return Error{ErrorCode::corrupt,
               "message of type " + std::to_string(frame.type) + ": " + value.error().message};
}

template <class T, class Use>
Status take(const Frame& frame, Use use) {
  auto value = content_of<T>(frame);
  if (!value) return std::move(value).error();
  use(std::move(*value));
  return Done{};
}

}  // namespace heddle::ipc

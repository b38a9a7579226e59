// Packs verbs and notifications into frames. Include from source files only.
#pragma once

#include "control/verbs.hpp"
#include "ipc/frame.hpp"
#include "ipc/values/report.hpp"
#include "ipc/values/run.hpp"

namespace heddle::control {

template <class Request, class Response>
ipc::Frame to_frame(const Verb<Request, Response>& verb, const Request& request) {
  return {verb.number, 0, ipc::packed(request)};
}

template <class Value>
ipc::Frame to_frame(const Notification<Value>& notification, const Value& value) {
  return {notification.number, 0, ipc::packed(value)};
}

}  // namespace heddle::control

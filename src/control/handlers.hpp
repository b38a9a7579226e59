// VerbHandlers maps each control verb to the function that handles it. One event loop; handlers
// outlive it. Include from source files that add handlers.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/async.hpp"
#include "base/result.hpp"
#include "control/verb_frames.hpp"
#include "control/verbs.hpp"
#include "ipc/messages/decode_frame.hpp"

namespace heddle::control {

// The client of a request, valid until the request is answered.
class Requester {
 public:
  virtual ~Requester() = default;
  // Who asks, for the record: "cli:anna".
  [[nodiscard]] virtual const std::string& by() const = 0;
  virtual void notify(ipc::Frame notification) = 0;
  // The client does not keep up: notifications it can do without are left out.
  [[nodiscard]] virtual bool is_behind() const = 0;
  // Calls `cancel` when the client withdraws its request, at once if it has already.
  virtual void on_cancel(std::function<void()> cancel) = 0;
};

class VerbHandlers {
 public:
  struct Handler {
    std::string_view name;
    Role least_role;
    // The packed response. An error: the request violates the protocol.
    std::function<Result<Async<std::string>>(const ipc::Frame&, Requester&)> handle;
  };

  // `handle(request, requester)` returns the response, or a coroutine that does.
  template <class Request, class Response, class Handle>
  void add(const Verb<Request, Response>& verb, Handle handle) {
    handlers_[verb.number] = {
        verb.name, verb.least_role,
        [handle = std::move(handle)](const ipc::Frame& frame,
                                     Requester& requester) -> Result<Async<std::string>> {
          auto request = ipc::decode_frame<Request>(frame);
          if (!request) return std::move(request).error();
          return packed_response<Response>(handle(std::move(*request), requester));
        }};
  }

  // nullptr: there is no such verb.
  [[nodiscard]] const Handler* find(std::uint16_t number) const {
    const auto found = handlers_.find(number);
    return found == handlers_.end() ? nullptr : &found->second;
  }

 private:
  template <class Response>
  static Async<std::string> packed_response(Async<Result<Response>> working) {
    const auto response = co_await std::move(working);
    co_return ipc::packed(response);
  }
  template <class Response>
  static Async<std::string> packed_response(Result<Response> response) {
    co_return ipc::packed(response);
  }

  std::map<std::uint16_t, Handler> handlers_;
};

}  // namespace heddle::control

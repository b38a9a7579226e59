// ControlServer accepts clients on the project's control socket and has their verbs handled. Single
// event loop; the handlers outlive it and its sessions.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/async.hpp"
#include "base/file_descriptor.hpp"
#include "base/time.hpp"
#include "control/verbs.hpp"
#include "ipc/unix_socket.hpp"

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

// VerbHandlers maps each control verb to the function that handles it; handlers outlive it.
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

struct ControlServerOptions {
  // This program's version: clients of another build are rejected, and so are clients that do not
  // complete the handshake in time.
  std::string build;
  std::chrono::milliseconds handshake_timeout = std::chrono::seconds(10);
  Role role = Role::admin;  // of everyone who may open the socket
};

class ControlServer {
 public:
  ControlServer(boost::asio::any_io_executor loop, FileDescriptor listening,
                const VerbHandlers& handlers, ControlServerOptions options);
  ~ControlServer();
  ControlServer(const ControlServer&) = delete;
  ControlServer& operator=(const ControlServer&) = delete;

  // Returns after close() or move_to(). Open sessions continue.
  Async<void> serve();
  void close();
  [[nodiscard]] bool is_closed() const { return is_closed_; }
  // Accepts clients on this socket instead of the previous one. Not after close().
  void move_to(FileDescriptor listening);

  // Returns when every request is answered and every response sent, or at the deadline.
  Async<void> drain(Deadline deadline);

 private:
  class Session;
  [[nodiscard]] bool has_pending_responses() const;

  boost::asio::any_io_executor loop_;
  std::optional<ipc::Acceptor> acceptor_;  // never empty
  bool is_closed_ = false;
  const VerbHandlers& handlers_;
  const ControlServerOptions options_;
  std::vector<std::weak_ptr<Session>> sessions_;
};

}  // namespace heddle::control

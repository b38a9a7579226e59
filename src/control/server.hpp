// ControlServer accepts clients on the project's control socket and has their verbs handled. Single
// event loop; the handlers outlive it and its sessions.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/file_descriptor.hpp"
#include "base/time.hpp"
#include "control/verbs.hpp"
#include "ipc/unix_socket.hpp"

namespace heddle::control {

class VerbHandlers;

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

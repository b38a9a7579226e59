// Named Unix sockets: how commands find the daemon. Paths of any length work.
#pragma once

#include <filesystem>
#include <string>

#include <sys/types.h>

#include "base/async.hpp"
#include "base/file_descriptor.hpp"
#include "base/result.hpp"

namespace heddle::ipc {

// Listens with mode 0600; replaces a stale socket file.
Result<FileDescriptor> listen_at(const std::filesystem::path& path);

// `not_found` when no process listens there.
Result<FileDescriptor> connect_to(const std::filesystem::path& path);

// The name of the user at the other end; empty when it is not known.
std::string peer_user(const FileDescriptor& connection);

// The process that began to listen at the other end; 0: it runs in another PID namespace.
pid_t peer_pid(const FileDescriptor& connection);

// Accepts connections from processes of the same user or root; closes others. One event loop.
class Acceptor {
 public:
  Acceptor(const boost::asio::any_io_executor& loop, FileDescriptor listening);
  ~Acceptor();
  Acceptor(const Acceptor&) = delete;
  Acceptor& operator=(const Acceptor&) = delete;

  Async<Result<FileDescriptor>> accept();
  void close();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace heddle::ipc

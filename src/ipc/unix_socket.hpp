// A socket with a name in a folder: where a daemon is found. Names of any length work.
#pragma once

#include <filesystem>

#include "base/async.hpp"
#include "base/file_descriptor.hpp"
#include "base/result.hpp"

namespace heddle::ipc {

// Listens, for its owner only; a socket that a dead process left there is replaced.
Result<FileDescriptor> listen_at(const std::filesystem::path& path);

// `not_found` when nobody listens there.
Result<FileDescriptor> connect_to(const std::filesystem::path& path);

// The next one who connects. Only processes of our user, or root, are let in.
class Doorman {
 public:
  Doorman(const boost::asio::any_io_executor& loop, FileDescriptor listening);
  ~Doorman();
  Doorman(const Doorman&) = delete;
  Doorman& operator=(const Doorman&) = delete;

  Async<Result<FileDescriptor>> let_in();
  void close();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace heddle::ipc

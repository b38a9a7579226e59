#include "app/daemon/control_socket.hpp"

#include <utility>

#include <sys/stat.h>
#include <unistd.h>

#include "ipc/unix_socket.hpp"

namespace heddle::app {

namespace {

// Returns 0 when there is no such file.
ino_t inode_of(const std::filesystem::path& file) {
  struct stat facts {};
  return lstat(file.c_str(), &facts) == 0 ? facts.st_ino : 0;
}

}  // namespace

std::filesystem::path ControlSocket::path_in(const std::filesystem::path& data_dir) {
  return data_dir / "heddle.sock";
}

ControlSocket::ControlSocket(std::filesystem::path data_dir, const ProjectLock& lock)
    : data_dir_(std::move(data_dir)), lock_(lock) {}

ControlSocket::~ControlSocket() {
  if (inode_ != 0 && inode_of(path()) == inode_) unlink(path().c_str());
}

Result<FileDescriptor> ControlSocket::listen() {
  auto listening = ipc::listen_at(path());
  if (listening) inode_ = inode_of(path());
  return listening;
}

bool ControlSocket::is_lost() const {
  const ino_t there = inode_of(path());
  if (there == inode_) return false;
  // Another folder of that name may belong to another daemon: two must not replace each other's
  // socket.
  return there == 0 || lock_.is_found_in(data_dir_);
}

}  // namespace heddle::app

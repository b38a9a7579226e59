#include "app/daemon/control_socket.hpp"

#include <fstream>
#include <string>
#include <system_error>

#include <sys/stat.h>
#include <unistd.h>

#include "base/files/private_files.hpp"
#include "ipc/unix_socket.hpp"

namespace heddle::app {

namespace fs = std::filesystem;

namespace {

constexpr const char* kSocketName = "heddle.sock";

// Returns 0 when there is no such file.
ino_t inode_of(const fs::path& file) {
  struct stat facts {};
  return lstat(file.c_str(), &facts) == 0 ? facts.st_ino : 0;
}

fs::path marker_path(const Project& project) {
  return project.root / ".heddle-daemon";
}

std::string data_dir_text(const Project& project) {
  std::error_code unknown;
  return fs::absolute(project.data_dir, unknown).lexically_normal().string();
}

std::string read_marker(const Project& project) {
  std::ifstream in(marker_path(project));
  std::string data_dir;
  std::getline(in, data_dir);
  return data_dir;
}

}  // namespace

fs::path control_socket(const Project& project) {
  return project.data_dir / kSocketName;
}

ControlSocket::~ControlSocket() {
  if (inode_ != 0 && inode_of(path_) == inode_) unlink(path_.c_str());
}

Result<FileDescriptor> ControlSocket::listen() {
  auto listening = ipc::listen_at(path_);
  if (listening) inode_ = inode_of(path_);
  return listening;
}

bool ControlSocket::is_lost() const {
  const ino_t there = inode_of(path_);
  if (there == inode_) return false;
  // Another folder of that name may belong to another daemon: two must not replace each other's
  // socket.
  return there == 0 || lock_.is_found_in(data_dir_);
}

DataDirMarker::DataDirMarker(const Project& project, Log& log) : file_(marker_path(project)) {
  make_private_file(file_, 0644);  // commands of other users read it
  std::ofstream out(file_, std::ios::trunc);
  out << data_dir_text(project) << '\n';
  out.close();
  if (!out)
    log.warn("cannot write " + file_.string() +
             ": if data_dir changes while this daemon is running, commands will not find it");
}

DataDirMarker::~DataDirMarker() {
  std::error_code ignored;
  fs::remove(file_, ignored);
}

std::optional<fs::path> other_data_dir_in_use(const Project& project) {
  const std::string data_dir = read_marker(project);
  if (data_dir.empty() || data_dir == data_dir_text(project)) return std::nullopt;
  if (!ipc::connect_to(fs::path(data_dir) / kSocketName)) return std::nullopt;
  return fs::path(data_dir);
}

}  // namespace heddle::app

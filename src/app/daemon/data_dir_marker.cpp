#include "app/daemon/data_dir_marker.hpp"

#include <fstream>
#include <string>
#include <system_error>

#include "app/daemon/daemon.hpp"
#include "ipc/unix_socket.hpp"

namespace heddle::app {

namespace fs = std::filesystem;

namespace {

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

DataDirMarker::DataDirMarker(const Project& project, Log& log) : file_(marker_path(project)) {
  std::ofstream out(file_, std::ios::trunc);
  out << data_dir_text(project) << '\n';
  out.close();
  if (!out)
    log.warn("cannot write " + file_.string() +
             ": if data_dir changes while this daemon is up, commands do not find it");
}

DataDirMarker::~DataDirMarker() {
  std::error_code ignored;
  fs::remove(file_, ignored);
}

std::optional<fs::path> other_data_dir_in_use(const Project& project) {
  const std::string data_dir = read_marker(project);
  if (data_dir.empty() || data_dir == data_dir_text(project)) return std::nullopt;
  Project daemons = project;
  daemons.data_dir = data_dir;
  if (!ipc::connect_to(control_socket(daemons))) return std::nullopt;
  return fs::path(data_dir);
}

}  // namespace heddle::app

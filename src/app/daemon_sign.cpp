#include "app/daemon_sign.hpp"

#include <fstream>
#include <string>
#include <system_error>

#include "app/daemon.hpp"
#include "ipc/unix_socket.hpp"

namespace heddle::app {

namespace fs = std::filesystem;

namespace {

fs::path sign_of(const Project& project) {
  return project.root / ".heddle-daemon";
}

std::string place_of(const Project& project) {
  std::error_code unknown;
  return fs::absolute(project.data_dir, unknown).lexically_normal().string();
}

std::string read_sign(const Project& project) {
  std::ifstream in(sign_of(project));
  std::string place;
  std::getline(in, place);
  return place;
}

}  // namespace

DaemonSign::DaemonSign(const Project& project, Log& log) : file_(sign_of(project)) {
  std::ofstream out(file_, std::ios::trunc);
  out << place_of(project) << '\n';
  out.close();
  if (!out)
    log.warn("cannot write " + file_.string() +
             ": if data_dir changes while this daemon is up, commands do not find it");
}

DaemonSign::~DaemonSign() {
  std::error_code ignored;
  fs::remove(file_, ignored);
}

std::optional<fs::path> other_data_dir_in_use(const Project& project) {
  const std::string place = read_sign(project);
  if (place.empty() || place == place_of(project)) return std::nullopt;
  Project daemons = project;
  daemons.data_dir = place;
  if (!ipc::connect_to(control_socket(daemons))) return std::nullopt;
  return fs::path(place);
}

}  // namespace heddle::app

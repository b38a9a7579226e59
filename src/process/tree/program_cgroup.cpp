#include "process/tree/program_cgroup.hpp"

#include <atomic>
#include <charconv>
#include <fstream>
#include <vector>

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/text.hpp"

namespace heddle::process {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "heddle-";
constexpr int kMaxRounds = 500;
constexpr useconds_t kRoundInterval = 2'000;  // microseconds

// "0::/system.slice/heddle.service" of /proc/self/cgroup
std::string own_path() {
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("0::/")) return line.substr(4);
  return {};
}

// From "36 35 0:31 / /sys/fs/cgroup rw,relatime - cgroup2 cgroup2 rw".
fs::path mount_point() {
  std::ifstream file("/proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    const auto fields = split(line, ' ');
    if (fields.size() > 4 && fields[3] == "/" && line.find(" - cgroup2 ") != std::string::npos)
      return fs::path(fields[4]);
  }
  return {};
}

// systemd marks what it delegates; the cgroups of a user's own services belong to the user.
bool is_delegated(const fs::path& folder) {
  if (access(folder.c_str(), W_OK | X_OK) != 0) return false;
  for (const char* mark : {"user.delegate", "trusted.delegate"}) {
    char value = 0;
    if (getxattr(folder.c_str(), mark, &value, 1) == 1 && value == '1') return true;
  }
  struct stat found {};
  return geteuid() != 0 && stat(folder.c_str(), &found) == 0 && found.st_uid == geteuid();
}

bool write_to(const fs::path& file, std::string_view text) {
  const FileDescriptor opened(open(file.c_str(), O_WRONLY | O_CLOEXEC));
  return opened &&
         write(opened.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

bool has_processes(const fs::path& folder) {
  std::ifstream events(folder / "cgroup.events");
  for (std::string line; std::getline(events, line);)
    if (line == "populated 1") return true;
  return false;
}

// "heddle-PID-NUMBER": 0 when it is not one of ours.
pid_t owner_of(const std::string& name) {
  if (!name.starts_with(kPrefix)) return 0;
  pid_t owner = 0;
  std::from_chars(name.data() + kPrefix.size(), name.data() + name.size(), owner);
  return owner;
}

void remove_leftovers(const fs::path& delegated) {
  std::error_code error;
  std::vector<fs::path> left;
  for (fs::directory_iterator entry(delegated, error), end; !error && entry != end;
       entry.increment(error)) {
    const pid_t owner = owner_of(entry->path().filename().string());
    if (owner > 0 && ::kill(owner, 0) != 0) left.push_back(entry->path());
  }
  for (const fs::path& folder : left) {
    write_to(folder / "cgroup.kill", "1");
    rmdir(folder.c_str());
  }
}

}  // namespace

fs::path find_delegated_cgroup() {
  const fs::path mount = mount_point();
  if (mount.empty()) return {};
  const fs::path folder = mount / own_path();
  if (!is_delegated(folder)) return {};
  remove_leftovers(folder);
  return folder;
}

ProgramCgroup::ProgramCgroup(fs::path folder, FileDescriptor entrance)
    : folder_(std::move(folder)), entrance_(std::move(entrance)) {}

ProgramCgroup::ProgramCgroup(ProgramCgroup&& other) noexcept
    : folder_(std::exchange(other.folder_, {})), entrance_(std::move(other.entrance_)) {}

ProgramCgroup::~ProgramCgroup() {
  if (!folder_.empty()) rmdir(folder_.c_str());
}

std::optional<ProgramCgroup> ProgramCgroup::make(const fs::path& delegated) {
  static std::atomic<std::uint64_t> last_number{0};
  const fs::path folder = delegated / (std::string(kPrefix) + std::to_string(getpid()) + "-" +
                                       std::to_string(++last_number));
  if (mkdir(folder.c_str(), 0755) != 0) return std::nullopt;
  FileDescriptor entrance(open((folder / "cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC));
  ProgramCgroup made(folder, std::move(entrance));
  if (!made.entrance_) return std::nullopt;
  return made;
}

bool ProgramCgroup::kill() const {
  if (!write_to(folder_ / "cgroup.kill", "1")) return false;
  for (int round = 0; round < kMaxRounds && has_processes(folder_); ++round) usleep(kRoundInterval);
  return true;
}

}  // namespace heddle::process

// A cgroup for the processes of one program, below a cgroup that the system has delegated to this
// process (for example `Delegate=yes` of systemd). No process leaves it by itself, and the kernel
// kills all of them at once.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/file_descriptor.hpp"

namespace heddle::process {

// The cgroup of this process when it may create cgroups below it; empty: it may not. Removes what
// dead processes left there.
std::filesystem::path find_delegated_cgroup();

class ProgramCgroup {
 public:
  // nullopt: it cannot be created.
  static std::optional<ProgramCgroup> make(const std::filesystem::path& delegated);
  ProgramCgroup(ProgramCgroup&& other) noexcept;
  ProgramCgroup& operator=(ProgramCgroup&&) = delete;
  ~ProgramCgroup();  // removes it when no process is left in it

  // A process that writes "0" to it joins.
  [[nodiscard]] int entrance() const { return entrance_.get(); }
  void close_entrance() { entrance_.reset(); }
  // Kills all processes in it and blocks until none is left, at most a second. False when the
  // kernel cannot (before Linux 5.14).
  bool kill() const;

 private:
  ProgramCgroup(std::filesystem::path folder, FileDescriptor entrance);

  std::filesystem::path folder_;
  FileDescriptor entrance_;
};

}  // namespace heddle::process

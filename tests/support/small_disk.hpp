// Mounts a small tmpfs on a folder while in scope. Needs permission to mount.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/mount.h>
#include <unistd.h>

#include "base/file_descriptor.hpp"

namespace heddle::testing {

class SmallDisk {
 public:
  SmallDisk(std::filesystem::path path, const std::string& size) : path_(std::move(path)) {
    std::filesystem::create_directories(path_);
    is_mounted_ = ::mount("tmpfs", path_.c_str(), "tmpfs", 0, ("size=" + size).c_str()) == 0;
  }
  ~SmallDisk() {
    if (is_mounted_) ::umount2(path_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  [[nodiscard]] bool is_mounted() const { return is_mounted_; }
  // The file is closed on exec: in a program that is started meanwhile it would outlive its
  // removal.
  void fill() const {
    const FileDescriptor filler(
        ::open((path_ / "filler").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    const std::string block(4096, 'x');
    while (::write(filler.get(), block.data(), block.size()) > 0) {
    }
  }
  // Fills space that other processes free, until the thread is destroyed.
  [[nodiscard]] std::jthread keep_full() const {
    return std::jthread([this](const std::stop_token& stopped) {
      while (!stopped.stop_requested()) {
        fill();
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
    });
  }
  void free_space() const { std::filesystem::remove(path_ / "filler"); }
  [[nodiscard]] bool make_read_only(bool is_read_only) const {
    unsigned long flags = MS_REMOUNT;
    if (is_read_only) flags |= MS_RDONLY;
    return ::mount("tmpfs", path_.c_str(), "tmpfs", flags, nullptr) == 0;
  }

 private:
  std::filesystem::path path_;
  bool is_mounted_ = false;
};

}  // namespace heddle::testing

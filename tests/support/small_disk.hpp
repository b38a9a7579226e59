// A small disk at a folder, gone with this object. Needs the right to mount one.
#pragma once

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <utility>

#include <sys/mount.h>

namespace heddle::testing {

class SmallDisk {
 public:
  SmallDisk(std::filesystem::path place, const std::string& size) : place_(std::move(place)) {
    std::filesystem::create_directories(place_);
    is_there_ = ::mount("tmpfs", place_.c_str(), "tmpfs", 0, ("size=" + size).c_str()) == 0;
  }
  ~SmallDisk() {
    if (is_there_) ::umount2(place_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  [[nodiscard]] bool is_there() const { return is_there_; }
  void fill() const {
    std::ofstream filler(place_ / "filler", std::ios::binary | std::ios::app);
    const std::string block(4096, 'x');
    while (filler.write(block.data(), static_cast<std::streamsize>(block.size())).flush()) {
    }
  }
  // Takes whatever room others give back, until it is destroyed.
  [[nodiscard]] std::jthread stay_full() const {
    return std::jthread([this](const std::stop_token& stopped) {
      while (!stopped.stop_requested()) {
        fill();
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
    });
  }
  void make_room() const { std::filesystem::remove(place_ / "filler"); }
  [[nodiscard]] bool make_read_only(bool is_read_only) const {
    unsigned long flags = MS_REMOUNT;
    if (is_read_only) flags |= MS_RDONLY;
    return ::mount("tmpfs", place_.c_str(), "tmpfs", flags, nullptr) == 0;
  }

 private:
  std::filesystem::path place_;
  bool is_there_ = false;
};

}  // namespace heddle::testing

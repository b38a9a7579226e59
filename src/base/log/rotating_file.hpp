// Appends to files and rotates them: a file that would exceed its limit becomes NAME.1, the former
// NAME.1 becomes NAME.2, and so on; the oldest is deleted.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

#include "base/file_descriptor.hpp"
#include "base/result.hpp"

namespace heddle {

struct Rotation {
  std::uint64_t max_bytes = 10u << 20;
  int keep = 5;  // old files beside the current one

  bool operator==(const Rotation&) const = default;
};

// A log file. Thread-safe, and several processes may append to the same file: lines stay whole.
// Creates the folder and the file at the first line.
class RotatingFile {
 public:
  RotatingFile(std::filesystem::path file, Rotation rotation)
      : path_(std::move(file)), rotation_(rotation) {}

  // Adds a line feed when there is none. A full disk is an error.
  Status append(std::string_view line);

  void set_rotation(Rotation rotation);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  Status open_folder();

  std::filesystem::path path_;
  Rotation rotation_;
  std::mutex mutex_;
  FileDescriptor folder_;
  FileDescriptor file_;
};

// A file to append to, in its folder.
struct AppendTarget {
  int folder = -1;
  std::string name;
  // Opens `name` for appending and creates it when missing.
  std::function<Result<FileDescriptor>()> open;
};

// Appends `content` in one piece, rotating first when it would not fit. `file` is the result
// of the last open(), or empty; it is replaced when another process has rotated the file.
Status append_rotating(const AppendTarget& target, const Rotation& rotation,
                       std::string_view content, FileDescriptor& file);

}  // namespace heddle

// Files that are only appended to: when one would grow past its limit it becomes NAME.1, the former
// NAME.1 becomes NAME.2, and so on; the oldest is dropped.
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
// The folder and the file are made at the first line.
class RotatingFile {
 public:
  RotatingFile(std::filesystem::path file, Rotation rotation)
      : path_(std::move(file)), rotation_(rotation) {}

  // A line end is added when there is none. What does not fit the disk is an error, never a crash.
  Status append(std::string_view line);

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
  // Opens `name` for appending, making it when missing.
  std::function<Result<FileDescriptor>()> open;
};

// Appends `content` in one piece, rotating first when it would not fit. `file` is what open() gave
// last time, or empty; it is replaced when others have rotated meanwhile.
Status append_rotating(const AppendTarget& target, const Rotation& rotation,
                       std::string_view content, FileDescriptor& file);

}  // namespace heddle

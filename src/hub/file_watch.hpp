// Notices changes of files under a folder: inotify on the event loop. A burst of them, such as a
// checkout, is one change.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <vector>

#include "base/async.hpp"
#include "base/result.hpp"

namespace heddle::hub {

class FileWatch {
 public:
  struct Options {
    std::vector<std::filesystem::path> left_out;  // folders in which nothing matters
    std::chrono::milliseconds quiet{300};         // so long after the last change of a burst
  };

  // An error when the system has no watches left.
  static Result<std::unique_ptr<FileWatch>> open(boost::asio::any_io_executor loop,
                                                 std::filesystem::path root, Options options);
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  // Returns when something has changed since the last call and all has been quiet for a while;
  // false after close().
  Async<bool> changed();
  void close();

 private:
  struct Parts;
  explicit FileWatch(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace heddle::hub

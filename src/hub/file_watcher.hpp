// FileWatcher reports changes of files under a folder, with inotify on the event loop. A burst of
// changes, such as a checkout, is reported once.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <vector>

#include "base/async.hpp"
#include "base/result.hpp"

namespace heddle::hub {

class FileWatcher {
 public:
  struct Options {
    std::vector<std::filesystem::path> excluded;  // folders to ignore
    std::chrono::milliseconds quiet{300};         // required after the last change of a burst
  };

  // Fails when the system has no watches left.
  static Result<std::unique_ptr<FileWatcher>> open(boost::asio::any_io_executor loop,
                                                   std::filesystem::path root, Options options);
  ~FileWatcher();

  // Returns when something has changed since the last call and the quiet period is over; false
  // after close().
  Async<bool> changed();
  void close();

 private:
  struct Parts;
  explicit FileWatcher(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace heddle::hub

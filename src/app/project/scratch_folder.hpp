// ScratchFolder is a temporary folder, removed with its content by the destructor.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace heddle::app {

class ScratchFolder {
 public:
  // Its name begins with `name`. nullopt: it cannot be made.
  static std::optional<ScratchFolder> make(const std::string& name) {
    std::error_code failed;
    std::string pattern = std::filesystem::temp_directory_path(failed) / (name + "-XXXXXX");
    if (failed || mkdtemp(pattern.data()) == nullptr) return std::nullopt;
    return ScratchFolder(pattern);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ScratchFolder& operator=(ScratchFolder&&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  explicit ScratchFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

}  // namespace heddle::app

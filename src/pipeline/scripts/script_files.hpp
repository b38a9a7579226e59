// The files that fs_* reads and writes: the job's own, or a scratch overlay for script tests.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/files/file_jail.hpp"
#include "base/result.hpp"

namespace heddle::pipeline {

// One thread at a time; blocks on the disk. The same rules as FileJail.
class ScriptFiles {
 public:
  explicit ScriptFiles(std::shared_ptr<const FileJail> real) : real_(std::move(real)) {}
  // Writes go to the scratch folders; files missing there are read from the real ones.
  ScriptFiles(std::shared_ptr<const FileJail> real, JailFolders scratch)
      : real_(std::move(real)), scratch_(std::move(scratch)) {}

  // A file that the job does not have is read from the shared folder.
  [[nodiscard]] Result<std::optional<std::string>> read_text(std::string_view path) const;
  [[nodiscard]] Result<std::optional<std::string>> read_binary(std::string_view path) const;
  Status append(std::string_view path, std::string_view content) const;
  Status overwrite(std::string_view path, std::string_view content) const;

 private:
  using Read = Result<std::optional<std::string>> (FileJail::*)(std::string_view) const;
  [[nodiscard]] Result<std::optional<std::string>> read_with(Read read,
                                                             std::string_view path) const;
  [[nodiscard]] Result<std::optional<std::string>> read_here(Read read,
                                                             std::string_view path) const;

  std::shared_ptr<const FileJail> real_;  // shared with the job's host
  std::optional<FileJail> scratch_;
};

}  // namespace heddle::pipeline

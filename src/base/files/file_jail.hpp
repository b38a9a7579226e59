// Restricts the file access of a job's scripts to the job's folder and, for paths that begin with
// "shared/", to the project's shared folder. The kernel resolves every path below a folder that was
// opened once, so neither "..", links nor a concurrent swap of folders leads outside. Thread-safe;
// blocks on the disk.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/log/rotating_file.hpp"
#include "base/result.hpp"

namespace heddle {

struct JailFolders {
  std::filesystem::path project;
  std::filesystem::path job;  // may be missing: created at the first write
  std::filesystem::path shared;
};

struct ModuleText {
  std::string name;  // the path relative to the project, "jobs/shop/lib/util.lua"
  std::string text;
};

class FileJail {
 public:
  explicit FileJail(JailFolders folders);
  ~FileJail();
  FileJail(FileJail&&) noexcept;
  FileJail& operator=(FileJail&&) noexcept;

  static constexpr std::size_t kMaxReadBytes = 64u << 20;
  static constexpr std::size_t kMaxPathBytes = 1024;

  // nullopt when there is no such file. Refusals are `bad_input` and say what is allowed.
  [[nodiscard]] Result<std::optional<std::string>> read_text(std::string_view path) const;
  [[nodiscard]] Result<std::optional<std::string>> read_binary(std::string_view path) const;
  // Creates missing folders. Rotates at 10 MB and keeps 5 old files (see rotating_file.hpp).
  Status append(std::string_view path, std::string_view content) const;
  // Readers see the old content or the new, never a part. Not synced: after a power cut either may
  // be there. Through a link inside the jail the linked file is rewritten in place.
  Status overwrite(std::string_view path, std::string_view content) const;

  // The file behind require("a.b"): a/b.lua or a/b/init.lua in the job's folder, then in the
  // project's. `not_found` lists the searched paths.
  [[nodiscard]] Result<ModuleText> read_module(std::string_view name) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace heddle

// ProjectFiles finds and reads the files of a project. Blocks; every failure becomes a problem.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "config/problem.hpp"
#include "config/read/values/toml_value.hpp"

namespace heddle::config {

class ProjectFiles {
 public:
  ProjectFiles(std::filesystem::path root, std::vector<Problem>& problems)
      : root_(std::move(root)), problems_(problems) {}

  // jobs/**/config.toml, sorted. Skips hidden folders. A folder reached twice through symbolic
  // links counts once, so loops end.
  std::vector<std::filesystem::path> find_job_files();

  struct Document {
    TomlTable table;
    bool exists = true;
    bool readable = true;  // false: a problem has the reason
  };
  // Stores the file's content in `text` unless it is nullptr.
  Document read(const std::filesystem::path& file, std::size_t max_bytes,
                std::string* text = nullptr);
  // Parses content that was read from `file` earlier.
  Document parse(const std::filesystem::path& file, const std::string& text);

  // Relative to the project, with "/", as problems and origins name a file.
  [[nodiscard]] std::string name_of(const std::filesystem::path& file) const;

 private:
  struct Walk;
  void visit_folder(const std::filesystem::path& folder, int depth, Walk& walk);

  std::filesystem::path root_;
  std::vector<Problem>& problems_;
};

// The URLs of a `urls_file`: one per line, without blank lines and # comments.
struct UrlLine {
  int line = 0;
  std::string url;
};
std::vector<UrlLine> url_lines(std::string_view text);

}  // namespace heddle::config

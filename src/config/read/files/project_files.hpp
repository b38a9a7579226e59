// ProjectFiles finds and reads the files of a project. Blocks; every failure becomes a problem.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/problem.hpp"
#include "config/read/files/misnamed_files.hpp"
#include "config/read/values/toml_value.hpp"

namespace heddle::config {

class ProjectFiles {
 public:
  ProjectFiles(std::filesystem::path root, std::vector<Problem>& problems)
      : root_(std::move(root)), problems_(problems) {}

  // jobs/**/config.toml, sorted. Skips hidden folders. A folder reached twice through symbolic
  // links counts once, so loops end.
  std::vector<std::filesystem::path> find_job_files();

  // Files of the project that look like those of a job but are not read; after find_job_files().
  std::vector<Problem> take_misnamed() { return std::move(misnamed_); }

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
  std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder);
  void report_misnamed(const std::filesystem::path& folder, std::vector<MisnamedFile> files);
  void look_for_misnamed_project_files();

  std::filesystem::path root_;
  std::vector<Problem>& problems_;
  std::vector<Problem> misnamed_;
};

// The URLs of a `urls_file`: one per line, without blank lines and # comments.
struct UrlLine {
  int line = 0;
  std::string url;
};
std::vector<UrlLine> url_lines(std::string_view text);

}  // namespace heddle::config

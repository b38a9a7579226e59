#include "config/read/files/project_files.hpp"

#include <algorithm>
#include <cerrno>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>

#include "base/files/access_text.hpp"
#include "base/text.hpp"
#include "config/read/files/read_file.hpp"

namespace heddle::config {

namespace fs = std::filesystem;

namespace {

constexpr int kMaxFolderDepth = 64;
constexpr std::string_view kJobFile = "config.toml";

using FolderIdentity = std::pair<dev_t, ino_t>;

// A "#" inside a URL starts its fragment; it starts a comment only after white space.
std::string_view without_comment(std::string_view line) {
  for (std::size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1))
    if (at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t') return line.substr(0, at);
  return line;
}

}  // namespace

struct ProjectFiles::Walk {
  std::vector<fs::path> found;
  std::set<FolderIdentity> seen;
  bool is_inside_job = false;
};

std::string ProjectFiles::name_of(const fs::path& file) const {
  const fs::path relative = file.lexically_relative(root_);
  return (relative.empty() ? file : relative).generic_string();
}

std::vector<fs::path> ProjectFiles::find_job_files() {
  Walk walk;
  std::error_code ignored;
  const fs::path jobs = root_ / "jobs";
  if (fs::exists(jobs, ignored)) visit_folder(jobs, 0, walk);
  look_for_misnamed_project_files();
  return std::move(walk.found);
}

void ProjectFiles::visit_folder(const fs::path& folder, int depth, Walk& walk) {
  struct stat facts {};
  const int error = ::stat(folder.c_str(), &facts) == 0 ? 0 : errno;
  if (error != 0 || !S_ISDIR(facts.st_mode)) {
    std::string why =
        error == 0 ? "is not a folder" : "cannot be read: " + access_text(folder, error);
    problems_.push_back({name_of(folder), 0, {}, std::move(why)});
    return;
  }
  if (!walk.seen.insert({facts.st_dev, facts.st_ino}).second) return;
  if (depth > kMaxFolderDepth) {
    problems_.push_back({name_of(folder), 0, {}, "folders are nested too deeply"});
    return;
  }
  const std::vector<fs::path> entries = entries_of(folder);
  const bool is_inside_job = walk.is_inside_job;
  std::vector<std::string> files;
  for (const fs::path& entry : entries) {
    const std::string name = entry.filename().string();
    std::error_code ignored;
    if (name == kJobFile) {
      walk.found.push_back(entry);
      walk.is_inside_job = true;
    }
    if (!name.starts_with('.') && (name == kJobFile || fs::is_regular_file(entry, ignored)))
      files.push_back(name);
  }
  // Below a job's folder files may have any name.
  if (!is_inside_job)
    report_misnamed(
        folder, misnamed_job_files(files, depth == 0 ? JobFolderKind::jobs : JobFolderKind::job));
  for (const fs::path& entry : entries) {
    const std::string name = entry.filename().string();
    std::error_code ignored;
    if (name != kJobFile && !name.starts_with('.') && fs::is_directory(entry, ignored))
      visit_folder(entry, depth + 1, walk);
  }
  walk.is_inside_job = is_inside_job;
}

// Sorted.
std::vector<fs::path> ProjectFiles::entries_of(const fs::path& folder) {
  std::error_code failure;
  std::vector<fs::path> entries;
  for (fs::directory_iterator at(folder, failure), end; !failure && at != end;
       at.increment(failure))
    entries.push_back(at->path());
  if (failure)
    problems_.push_back(
        {name_of(folder), 0, {}, fmt::format("cannot be read: {}", failure.message())});
  std::sort(entries.begin(), entries.end());
  return entries;
}

void ProjectFiles::report_misnamed(const fs::path& folder, std::vector<MisnamedFile> files) {
  for (MisnamedFile& file : files)
    misnamed_.push_back(
        {name_of(folder / file.name), 0, {}, std::move(file.message), ProblemSeverity::warning});
}

void ProjectFiles::look_for_misnamed_project_files() {
  std::error_code failure;
  std::vector<std::string> names;
  for (fs::directory_iterator at(root_, failure), end; !failure && at != end; at.increment(failure))
    names.push_back(at->path().filename().string());
  std::sort(names.begin(), names.end());
  report_misnamed(root_, misnamed_project_files(names));
}

ProjectFiles::Document ProjectFiles::read(const fs::path& file, std::size_t max_bytes,
                                          std::string* kept_text) {
  auto text = read_file(file, max_bytes);
  std::error_code ignored;
  if (!text && text.error().code == ErrorCode::not_found && !fs::is_symlink(file, ignored))
    return {{}, false, true};
  if (!text) {
    problems_.push_back({name_of(file), 0, {}, text.error().message});
    return {{}, true, false};
  }
  auto document = parse(file, *text);
  if (kept_text != nullptr) *kept_text = *std::move(text);
  return document;
}

ProjectFiles::Document ProjectFiles::parse(const fs::path& file, const std::string& text) {
  auto parsed = parse_toml(text);
  if (auto* value = std::get_if<TomlValue>(&parsed))
    return {std::get<TomlTable>(std::move(value->data))};
  const auto& error = std::get<SyntaxError>(parsed);
  problems_.push_back({name_of(file),
                       error.line,
                       {},
                       fmt::format("not TOML: {}; the rest of this file was not checked",
                                   to_valid_utf8(error.message))});
  return {{}, true, false};
}

std::vector<UrlLine> url_lines(std::string_view text) {
  std::vector<UrlLine> out;
  int number = 0;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    const std::string_view url = trim(without_comment(line));
    if (!url.empty()) out.push_back({number, std::string(url)});
  }
  return out;
}

}  // namespace heddle::config

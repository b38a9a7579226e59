#include "app/import/spyweb_files.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "app/import/job_folders.hpp"

namespace heddle::app {

namespace {

namespace fs = std::filesystem;

constexpr const char* kSharedFolder = "shared";
// The database and its log are read elsewhere.
constexpr std::array<std::string_view, 6> kKnown{"jobs",     "jobs.toml", "data",
                                                 "data-wal", "data-shm",  "data-journal"};
constexpr const char* kOutside = "a symbolic link that leads out of the folder or nowhere";

bool is_within(const fs::path& inner, const fs::path& outer) {
  std::error_code unknown;
  const fs::path from = fs::weakly_canonical(outer, unknown);
  const fs::path relative = fs::weakly_canonical(inner, unknown).lexically_relative(from);
  return !relative.empty() && *relative.begin() != "..";
}

bool is_lua(const fs::path& file) {
  return file.extension() == ".lua" || file.extension() == ".luau";
}

Error cannot_make(const fs::path& folder, const std::error_code& why) {
  return {ErrorCode::unavailable,
          fmt::format("cannot make the folder {}: {}", folder.string(), why.message())};
}

Status stage_jobs(const fs::path& source, const fs::path& staging,
                  std::vector<std::string>& skipped) {
  std::error_code failure;
  fs::create_directories(staging / "jobs", failure);
  if (failure) return cannot_make(staging / "jobs", failure);
  const auto jobs = resolve_entry(source, "jobs");
  if (jobs && fs::is_directory(*jobs, failure)) {
    auto folders = find_job_folders(*jobs, skipped);
    if (!folders) return std::move(folders).error();
    for (const std::string& name : *folders) {
      auto copied = copy_job_folder(*jobs / name, staging / "jobs" / name, "jobs/" + name, skipped);
      if (!copied) return copied;
    }
  }
  const auto file = resolve_entry(source, kSpywebJobsFile);
  if (file && fs::is_regular_file(*file, failure))
    return copy_plain_file(*file, staging / kSpywebJobsFile);
  return Done{};
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code failure;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure))
    names.push_back(entry->path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

// The regular files below `staging / top`, relative to `staging`.
void list_files(const fs::path& staging, const fs::path& top, std::vector<fs::path>& files) {
  std::error_code failure;
  for (fs::recursive_directory_iterator at(staging / top, failure), end; !failure && at != end;
       at.increment(failure))
    if (at->is_regular_file(failure)) files.push_back(at->path().lexically_relative(staging));
  std::sort(files.begin(), files.end());
}

}  // namespace

std::optional<fs::path> resolve_entry(const fs::path& source, const std::string& name) {
  std::error_code failure;
  const fs::path entry = source / name;
  const auto type = fs::symlink_status(entry, failure).type();
  if (type == fs::file_type::not_found || type == fs::file_type::none) return std::nullopt;
  if (type != fs::file_type::symlink) return entry;
  const fs::path target = fs::canonical(entry, failure);
  if (failure || !is_within(target, source)) return std::nullopt;
  return target;
}

bool leads_out(const fs::path& source, const std::string& name) {
  std::error_code unknown;
  return fs::is_symlink(fs::symlink_status(source / name, unknown)) && !resolve_entry(source, name);
}

std::string why_no_folder(const fs::path& source, const fs::path& staging) {
  if (leads_out(source, "jobs")) return fmt::format("it is {}", kOutside);
  const auto jobs = resolve_entry(source, "jobs");
  std::error_code unknown;
  if (!jobs || !names_in(staging / "jobs").empty()) return {};
  for (const std::string& name : names_in(*jobs))
    if (fs::is_symlink(fs::symlink_status(*jobs / name, unknown)))
      return "its jobs are symbolic links, which are not followed: put the folders themselves "
             "there";
  return {};
}

Status check_import_folders(const fs::path& source, const fs::path& project) {
  std::error_code unknown;
  const auto refuse = [&source](ErrorCode code, const std::string& why) {
    return Error{code, fmt::format("'{}' {}", source.string(), why)};
  };
  if (!fs::is_directory(source, unknown))
    return Error{ErrorCode::not_found, fmt::format("there is no folder '{}'", source.string())};
  if (fs::equivalent(source, project, unknown))
    return refuse(ErrorCode::bad_input,
                  "is the folder of this project: import it into another one, with --project "
                  "NEW-FOLDER");
  if (is_within(source, project / kImportStaging))
    return refuse(ErrorCode::bad_input,
                  fmt::format("lies in {}, which every import empties: move it elsewhere first",
                              (project / kImportStaging).string()));
  for (const char* copied : {"jobs", kSharedFolder})
    if (is_within(project, source / copied))
      return refuse(ErrorCode::bad_input,
                    fmt::format("would be copied into itself: the project {} lies in its folder {}",
                                project.string(), copied));
  const auto jobs = resolve_entry(source, "jobs");
  const auto file = resolve_entry(source, kSpywebJobsFile);
  if ((jobs && fs::is_directory(*jobs, unknown)) || (file && fs::is_regular_file(*file, unknown)))
    return Done{};
  for (const char* name : {"jobs", kSpywebJobsFile})
    if (leads_out(source, name))
      return refuse(ErrorCode::bad_input,
                    fmt::format("has no jobs that can be copied: {} is {}; put the original there",
                                name, kOutside));
  return refuse(ErrorCode::not_found,
                "is not a SpyWeb project: it has neither a folder jobs nor a file jobs.toml");
}

Result<std::vector<fs::path>> stage_spyweb_files(const fs::path& source, const fs::path& staging,
                                                 std::vector<std::string>& skipped) {
  if (auto staged = stage_jobs(source, staging, skipped); !staged) return std::move(staged).error();
  std::vector<fs::path> files;
  std::error_code unknown;
  for (const std::string& name : names_in(source)) {
    const bool is_known = std::find(kKnown.begin(), kKnown.end(), name) != kKnown.end();
    const auto entry = resolve_entry(source, name);
    Status copied = Done{};
    if (!entry) {
      if (name != "data") skipped.push_back(fmt::format("{}: {}", name, kOutside));
    } else if (is_known || name.starts_with('.')) {
      continue;
    } else if (name == kSharedFolder && fs::is_directory(*entry, unknown)) {
      copied = copy_job_folder(*entry, staging / name, name, skipped);
      list_files(staging, name, files);
    } else if (is_lua(name) && fs::is_regular_file(*entry, unknown)) {
      copied = copy_plain_file(*entry, staging / name);
      files.emplace_back(name);
    } else {
      skipped.push_back(
          fmt::format("{}: not a part of SpyWeb's jobs; copy it if a script needs it", name));
    }
    if (!copied) return std::move(copied).error();
  }
  return files;
}

}  // namespace heddle::app

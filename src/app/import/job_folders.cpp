#include "app/import/job_folders.hpp"

#include <algorithm>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

namespace heddle::app {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlockBytes = 64u << 10;

fs::file_type type_of(const fs::path& path) {
  std::error_code unknown;
  return fs::symlink_status(path, unknown).type();
}

bool is_folder(const fs::path& path) {
  return type_of(path) == fs::file_type::directory;
}

bool is_file(const fs::path& path) {
  return type_of(path) == fs::file_type::regular;
}

Error cannot(const char* what, const fs::path& path, const std::error_code& why) {
  return {ErrorCode::unavailable,
          fmt::format("cannot {} {}: {}", what, path.string(), why.message())};
}

Result<std::vector<fs::path>> entries_of(const fs::path& folder) {
  std::error_code failure;
  std::vector<fs::path> entries;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure))
    entries.push_back(entry->path());
  if (failure) return cannot("read the folder", folder, failure);
  std::sort(entries.begin(), entries.end());
  return entries;
}

std::string why_skipped(const fs::path& path) {
  return type_of(path) == fs::file_type::symlink ? "a symbolic link"
                                                 : "neither a file nor a folder";
}

// `name`: of the folder, in messages.
Status copy_entries(const fs::path& from, const fs::path& to, const std::string& name,
                    std::vector<std::string>& skipped) {
  auto entries = entries_of(from);
  if (!entries) return std::move(entries).error();
  for (const fs::path& entry : *entries) {
    const std::string entry_name = name + "/" + entry.filename().string();
    Status copied = Done{};
    if (is_file(entry)) {
      copied = copy_plain_file(entry, to / entry.filename());
    } else if (is_folder(entry)) {
      std::error_code failure;
      fs::create_directory(to / entry.filename(), failure);
      if (failure) return cannot("make the folder", to / entry.filename(), failure);
      copied = copy_entries(entry, to / entry.filename(), entry_name, skipped);
    } else {
      skipped.push_back(fmt::format("{}: {}", entry_name, why_skipped(entry)));
    }
    if (!copied) return copied;
  }
  return Done{};
}

}  // namespace

Result<std::vector<std::string>> find_job_folders(const fs::path& jobs,
                                                  std::vector<std::string>& skipped) {
  std::vector<std::string> folders;
  if (!is_folder(jobs)) return folders;
  auto entries = entries_of(jobs);
  if (!entries) return std::move(entries).error();
  for (const fs::path& entry : *entries) {
    const std::string name = entry.filename().string();
    if (!is_folder(entry))
      skipped.push_back(fmt::format("jobs/{}: {}", name,
                                    is_file(entry) ? "not a folder of a job" : why_skipped(entry)));
    else if (!is_file(entry / "config.toml"))
      skipped.push_back(fmt::format("jobs/{}: {}", name,
                                    type_of(entry / "config.toml") == fs::file_type::symlink
                                        ? "its config.toml is a symbolic link"
                                        : "it has no config.toml"));
    else
      folders.push_back(name);
  }
  return folders;
}

Status copy_plain_file(const fs::path& from, const fs::path& to) {
  std::error_code failure;
  fs::copy_file(from, to, failure);  // with its permissions
  if (failure) return cannot("copy", from, failure);
  return Done{};
}

Status copy_job_folder(const fs::path& from, const fs::path& to, const std::string& name,
                       std::vector<std::string>& skipped) {
  std::error_code failure;
  fs::create_directories(to, failure);
  if (failure) return cannot("make the folder", to, failure);
  return copy_entries(from, to, name, skipped);
}

bool is_same_file(const fs::path& one, const fs::path& other) {
  std::error_code unknown;
  if (!is_file(one) || !is_file(other)) return false;
  if (fs::file_size(one, unknown) != fs::file_size(other, unknown) || unknown) return false;
  std::ifstream left(one, std::ios::binary);
  std::ifstream right(other, std::ios::binary);
  std::string left_block(kBlockBytes, '\0');
  std::string right_block(kBlockBytes, '\0');
  while (left && right) {
    left.read(left_block.data(), kBlockBytes);
    right.read(right_block.data(), kBlockBytes);
    if (left.gcount() != right.gcount()) return false;
    const auto count = static_cast<std::size_t>(left.gcount());
    if (left_block.compare(0, count, right_block, 0, count) != 0) return false;
  }
  return left.eof() && right.eof();
}

bool has_all_files_of(const fs::path& original, const fs::path& folder) {
  const auto entries = entries_of(original);
  if (!entries || !is_folder(folder)) return false;
  return std::all_of(entries->begin(), entries->end(), [&folder](const fs::path& entry) {
    const fs::path copy = folder / entry.filename();
    if (is_folder(entry)) return has_all_files_of(entry, copy);
    return !is_file(entry) || is_same_file(entry, copy);
  });
}

}  // namespace heddle::app

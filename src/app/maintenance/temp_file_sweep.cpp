#include "app/maintenance/temp_file_sweep.hpp"

#include <chrono>
#include <string_view>

#include "app/project/project_databases.hpp"

namespace heddle::app {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::hours kDraftMaxAge{1};
constexpr std::string_view kDraftHead = ".heddle-";  // see base/jail.cpp; 16 digits follow
constexpr std::string_view kDraftTail = ".tmp";
constexpr std::size_t kDraftDigits = 16;

// ".heddle-0123456789abcdef.tmp"
bool is_draft(std::string_view name) {
  if (name.size() != kDraftHead.size() + kDraftDigits + kDraftTail.size()) return false;
  if (!name.starts_with(kDraftHead) || !name.ends_with(kDraftTail)) return false;
  const auto digits = name.substr(kDraftHead.size(), kDraftDigits);
  return digits.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// An unfinished copy of a database, or its WAL or journal.
bool is_unfinished_copy(std::string_view name, std::string_view database) {
  if (!name.starts_with(database) || name.size() == database.size()) return false;
  for (const std::string_view beside : {"-wal", "-shm", "-journal"})
    if (name.ends_with(beside)) name.remove_suffix(beside.size());
  return name.ends_with(".part") || name.ends_with(".restoring") || name.ends_with(".repairing");
}

bool is_old(const fs::path& file) {
  std::error_code failed;
  const auto written = fs::last_write_time(file, failed);
  return !failed && fs::file_time_type::clock::now() - written > kDraftMaxAge;
}

std::vector<fs::path> copies_in(const fs::path& folder) {
  std::error_code failed;
  std::vector<fs::path> found;
  for (const ProjectDatabase& database : kProjectDatabases) {
    // If the database is missing, its copy may be the only data.
    if (!fs::is_regular_file(folder / database.name, failed)) continue;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
         entry.increment(failed))
      if (is_unfinished_copy(entry->path().filename().string(), database.name))
        found.push_back(entry->path());
  }
  return found;
}

void add_drafts_under(const fs::path& folder, std::vector<fs::path>& found) {
  std::error_code failed;
  for (fs::recursive_directory_iterator
           entry(folder, fs::directory_options::skip_permission_denied, failed),
       end;
       !failed && entry != end; entry.increment(failed))
    if (is_draft(entry->path().filename().string()) && is_old(entry->path()))
      found.push_back(entry->path());
}

}  // namespace

std::vector<fs::path> sweep_temp_files(const fs::path& root, const fs::path& data_dir) {
  std::vector<fs::path> found = copies_in(data_dir);
  for (const fs::path& folder : {data_dir / "jobs", root / "jobs", root / "shared"})
    add_drafts_under(folder, found);
  std::erase_if(found, [](const fs::path& file) {
    std::error_code failed;
    return !fs::is_regular_file(fs::symlink_status(file, failed)) || !fs::remove(file, failed);
  });
  return found;
}

}  // namespace heddle::app

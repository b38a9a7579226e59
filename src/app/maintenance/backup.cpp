#include "app/maintenance/backup.hpp"

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "app/maintenance/file_operations.hpp"
#include "app/maintenance/restore_plan.hpp"
#include "app/project/project_databases.hpp"
#include "app/project/project_lock.hpp"
#include "base/file_descriptor.hpp"
#include "store/sqlite/repair/database_copy.hpp"

namespace heddle::app {

namespace fs = std::filesystem;
using store::DatabaseKind;

namespace {

constexpr std::string_view kJournal = "-journal";

fs::path parent_of(const fs::path& path) {
  return fs::absolute(path).parent_path();
}

void remove_copy(const fs::path& file) {
  std::error_code ignored;
  fs::remove(file, ignored);
  fs::remove(with_suffix(file, kJournal), ignored);
}

// Guards against removing files that are not part of a backup.
bool holds_only_databases(const fs::path& folder) {
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(folder, failure)) {
    const std::string file = entry.path().filename();
    std::string_view name = file;
    if (name.ends_with(kJournal)) name.remove_suffix(kJournal.size());
    if (!is_database_name(name)) return false;
  }
  return !failure;
}

// Only a folder made by `heddle backup` may be replaced.
bool is_backup(const fs::path& folder) {
  std::error_code failure;
  bool has_database = false;
  for (const auto& entry : fs::directory_iterator(folder, failure)) {
    const std::string name = entry.path().filename();
    if (!is_database_name(name)) return false;
    has_database = has_database || name == "heddle.db";
  }
  return !failure && has_database;
}

Status refuse_target(const cli::BackupRequest& request) {
  if (!path_exists(request.folder)) return Done{};
  if (request.replace && !is_backup(request.folder))
    return Error{ErrorCode::conflict,
                 fmt::format("{} is not a backup, so --force does not replace it: give the name of "
                             "a folder that does not exist",
                             request.folder.string())};
  if (!is_backup(request.folder))
    return Error{
        ErrorCode::conflict,
        fmt::format("{} exists already and is not a backup: give the name of a folder that "
                    "does not exist",
                    request.folder.string())};
  if (!request.replace)
    return Error{ErrorCode::conflict,
                 fmt::format("{} already exists; --force replaces it", request.folder.string())};
  return Done{};
}

// A backup folder being written; locked, and removed by the destructor unless it was renamed.
class UnfinishedBackup {
 public:
  static Result<UnfinishedBackup> make(const fs::path& folder) {
    // One that is left of an interrupted backup is used again.
    if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return cannot("make", folder, errno);
    FileDescriptor held(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!held) return cannot("make", folder, errno);
    if (flock(held.get(), LOCK_EX | LOCK_NB) != 0)
      return Error{ErrorCode::conflict,
                   fmt::format("another backup is being written to {}", folder.string())};
    if (!holds_only_databases(folder))
      return Error{ErrorCode::conflict, fmt::format("{} is needed as a temporary folder for the "
                                                    "backup, but has other content: move it away",
                                                    folder.string())};
    // Files of an interrupted backup.
    for (const ProjectDatabase& database : kProjectDatabases) remove_copy(folder / database.name);
    return UnfinishedBackup(std::move(held), folder);
  }
  UnfinishedBackup(UnfinishedBackup&&) = default;
  UnfinishedBackup& operator=(UnfinishedBackup&&) = delete;
  ~UnfinishedBackup() {
    if (!held_) return;
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  Status rename_to_target(const cli::BackupRequest& request) {
    if (auto synced = sync_folder(folder_); !synced) return synced;
    if (path_exists(request.folder)) {
      // The exchange gives the old backup our temporary name; the destructor removes it.
      if (renameat2(AT_FDCWD, folder_.c_str(), AT_FDCWD, request.folder.c_str(), RENAME_EXCHANGE) !=
          0)
        return cannot("replace", request.folder, errno);
      return sync_folder(parent_of(request.folder));
    }
    if (auto renamed = rename_to(folder_, request.folder); !renamed) return renamed;
    held_.reset();
    return sync_folder(parent_of(request.folder));
  }

 private:
  UnfinishedBackup(FileDescriptor held, fs::path folder)
      : held_(std::move(held)), folder_(std::move(folder)) {}

  FileDescriptor held_;
  fs::path folder_;
};

Status copy_checked(const fs::path& from, const fs::path& to, DatabaseKind kind,
                    const cli::FileProgress& progress) {
  store::CopyOptions options;
  options.progress = [&](std::int64_t done, std::int64_t all) {
    progress(from.filename().string(), done, all);
  };
  auto copied = store::copy_database(from, to, options);
  if (!copied) return copied;
  return store::check_database(to, kind);
}

std::int64_t size_of(const fs::path& file) {
  std::error_code failure;
  const auto size = fs::file_size(file, failure);
  return failure ? 0 : static_cast<std::int64_t>(size);
}

// Copies into the project's folder under other names, so that nothing is replaced before all copies
// exist.
Result<std::vector<std::string>> stage_backup(const Project& project, const fs::path& backup,
                                              const cli::FileProgress& progress) {
  std::vector<std::string> names;
  for (const ProjectDatabase& database : kProjectDatabases) {
    const fs::path target = with_suffix(project.data_dir / database.name, kRestoring);
    remove_copy(target);
    if (!path_exists(backup / database.name)) continue;
    auto copied = copy_checked(backup / database.name, target, database.kind, progress);
    if (!copied) {
      std::error_code ignored;
      fs::remove(target, ignored);
      return std::move(copied).error();
    }
    names.emplace_back(database.name);
  }
  return names;
}

Status check_backup(const fs::path& folder) {
  std::error_code failure;
  if (!fs::is_directory(folder, failure) || !path_exists(folder / "heddle.db"))
    return Error{ErrorCode::not_found,
                 fmt::format("{} is not a backup: it has no heddle.db", folder.string())};
  for (const ProjectDatabase& database : kProjectDatabases) {
    if (!path_exists(folder / database.name)) continue;
    auto checked = store::check_database(folder / database.name, database.kind);
    if (!checked) return std::move(checked).error().during("the backup cannot be used");
  }
  return Done{};
}

}  // namespace

// With milliseconds, so that a second restore does not overwrite what the first one kept.
std::string suffix_of(std::string_view why, WallTime now) {
  std::string time;
  for (const char c : to_iso8601(now))
    if (c != '-' && c != ':' && c != '.') time += c;
  return fmt::format(".{}-{}", why, time);
}

Status install_database(const fs::path& fresh, const fs::path& file, const std::string& suffix) {
  const fs::path kept = with_suffix(file, suffix);
  if (const fs::path log = with_suffix(file, "-wal"); path_exists(log))
    if (auto moved = rename_to(log, with_suffix(kept, "-wal")); !moved) return moved;
  std::error_code ignored;
  fs::remove(with_suffix(file, "-shm"), ignored);  // SQLite rebuilds it from the WAL
  // Link the old one, then rename the new one over it: a database exists at the path at any moment.
  if (auto linked = link_to(file, kept); !linked) return linked;
  if (auto put = rename_to(fresh, file); !put) return put;
  return sync_folder(file.parent_path());
}

Result<cli::BackupReport> back_up_project(const Project& project, const cli::BackupRequest& given,
                                          const cli::FileProgress& progress) {
  cli::BackupRequest request = given;
  if (request.folder.empty())
    return Error{ErrorCode::bad_input,
                 "the name of the backup's folder is empty: give one that does not exist"};
  if (request.folder.filename().empty())
    request.folder = request.folder.parent_path();  // "folder/"
  if (auto is_free = refuse_target(request); !is_free) return std::move(is_free).error();
  if (!path_exists(project.data_dir / "heddle.db"))
    return Error{ErrorCode::not_found, fmt::format("there is no database in {}: nothing was stored "
                                                   "yet",
                                                   project.data_dir.string())};
  if (auto restored = finish_interrupted_restore(project.data_dir); !restored)
    return std::move(restored).error();
  const fs::path part = with_suffix(request.folder, ".part");
  auto unfinished = UnfinishedBackup::make(part);
  if (!unfinished) return std::move(unfinished).error();
  cli::BackupReport report;
  for (const ProjectDatabase& database : kProjectDatabases) {
    const fs::path from = project.data_dir / database.name;
    if (!path_exists(from)) continue;
    auto copied = copy_checked(from, part / database.name, database.kind, progress);
    if (!copied) return std::move(copied).error();
    report.files.emplace_back(database.name);
    report.bytes += size_of(part / database.name);
  }
  if (auto named = unfinished->rename_to_target(request); !named) return std::move(named).error();
  return report;
}

Result<cli::RestoreReport> restore_project(const Project& project, const fs::path& folder,
                                           WallTime now, const cli::FileProgress& progress) {
  auto lock = ProjectLock::acquire_soon(project.data_dir, ProjectLock::Hold::brief);
  if (!lock) return std::move(lock).error();
  if (auto checked = check_backup(folder); !checked) return std::move(checked).error();
  auto names = stage_backup(project, folder, progress);
  if (!names) return std::move(names).error();
  cli::RestoreReport report;
  report.files = std::move(*names);
  RestorePlan plan{suffix_of("replaced", now), report.files, {}};
  for (const ProjectDatabase& database : kProjectDatabases) {
    const fs::path file = project.data_dir / database.name;
    if (path_exists(file)) report.kept.push_back(with_suffix(file, plan.suffix));
    if (!path_exists(with_suffix(file, kRestoring))) plan.remove.emplace_back(database.name);
  }
  if (auto decided = commit_restore(project.data_dir, plan); !decided)
    return std::move(decided).error();
  if (auto finished = finish_restore(project.data_dir); !finished)
    return std::move(finished).error();
  return report;
}

}  // namespace heddle::app

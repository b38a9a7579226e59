#include "app/backup.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/file_steps.hpp"
#include "app/project_lock.hpp"
#include "app/restore_plan.hpp"
#include "base/file_descriptor.hpp"
#include "store/sqlite/database_copy.hpp"

namespace heddle::app {

namespace fs = std::filesystem;
using store::DatabaseKind;

namespace {

struct DatabaseName {
  const char* name;
  DatabaseKind kind;
};
constexpr std::array kDatabases{DatabaseName{"heddle.db", DatabaseKind::engine},
                                DatabaseName{"scripts.db", DatabaseKind::scripts}};

fs::path parent_of(const fs::path& path) {
  return fs::absolute(path).parent_path();
}

// So that nothing of anybody else's is ever removed.
bool holds_only_databases(const fs::path& folder) {
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(folder, failure)) {
    const std::string name = entry.path().filename();
    const bool is_ours =
        std::any_of(kDatabases.begin(), kDatabases.end(), [&name](const DatabaseName& database) {
          return name == database.name || name == std::string(database.name) + "-journal";
        });
    if (!is_ours) return false;
  }
  return !failure;
}

// Only what was made by `heddle backup` is ever replaced.
bool is_backup(const fs::path& folder) {
  std::error_code failure;
  bool has_database = false;
  for (const auto& entry : fs::directory_iterator(folder, failure)) {
    const auto name = entry.path().filename();
    if (name != "heddle.db" && name != "scripts.db") return false;
    has_database = has_database || name == "heddle.db";
  }
  return !failure && has_database;
}

Status refuse_target(const cli::BackupOrder& order) {
  if (!is_there(order.folder)) return Done{};
  if (!order.replace)
    return Error{ErrorCode::conflict,
                 fmt::format("{} exists already; --force replaces it", order.folder.string())};
  if (is_backup(order.folder)) return Done{};
  return Error{ErrorCode::conflict,
               fmt::format("{} is no backup: it is left alone", order.folder.string())};
}

// A folder in the making, held while it lives and removed unless it gets its name.
class UnfinishedBackup {
 public:
  static Result<UnfinishedBackup> make(const fs::path& folder) {
    mkdir(folder.c_str(), 0700);
    FileDescriptor held(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!held) return cannot("make", folder, errno);
    if (flock(held.get(), LOCK_EX | LOCK_NB) != 0)
      return Error{ErrorCode::conflict,
                   fmt::format("another backup is being written to {}", folder.string())};
    if (!holds_only_databases(folder))
      return Error{ErrorCode::conflict,
                   fmt::format("{} is needed for the backup in the making, but holds something "
                               "else: move it away",
                               folder.string())};
    // Of one that was cut short.
    for (const DatabaseName& database : kDatabases) {
      std::error_code failure;
      fs::remove(folder / database.name, failure);
      fs::remove(with_suffix(folder / database.name, "-journal"), failure);
    }
    return UnfinishedBackup(std::move(held), folder);
  }
  UnfinishedBackup(UnfinishedBackup&&) = default;
  UnfinishedBackup& operator=(UnfinishedBackup&&) = delete;
  ~UnfinishedBackup() {
    if (!held_) return;
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  Status name_it(const cli::BackupOrder& order) {
    if (auto synced = sync_folder(folder_); !synced) return synced;
    if (is_there(order.folder)) {
      // The old one goes under this one's name, and away with it.
      if (renameat2(AT_FDCWD, folder_.c_str(), AT_FDCWD, order.folder.c_str(), RENAME_EXCHANGE) !=
          0)
        return cannot("replace", order.folder, errno);
      return sync_folder(parent_of(order.folder));
    }
    if (auto renamed = rename_to(folder_, order.folder); !renamed) return renamed;
    held_.reset();
    return sync_folder(parent_of(order.folder));
  }

 private:
  UnfinishedBackup(FileDescriptor held, fs::path folder)
      : held_(std::move(held)), folder_(std::move(folder)) {}

  FileDescriptor held_;
  fs::path folder_;
};

store::CopyOptions copy_options(const cli::Meter& meter, std::string what) {
  store::CopyOptions options;
  options.progress = [&meter, what = std::move(what)](std::int64_t done, std::int64_t all) {
    meter(what, done, all);
  };
  return options;
}

Status copy_checked(const fs::path& from, const fs::path& to, DatabaseKind kind,
                    const cli::Meter& meter) {
  auto copied = store::copy_database(from, to, copy_options(meter, from.filename().string()));
  if (!copied) return copied;
  return store::check_database(to, kind);
}

std::int64_t size_of(const fs::path& file) {
  std::error_code failure;
  const auto size = fs::file_size(file, failure);
  return failure ? 0 : static_cast<std::int64_t>(size);
}

// Copies into the project's folder, under other names: nothing is replaced before all are there.
Result<std::vector<std::string>> bring_near(const Project& project, const fs::path& backup,
                                            const cli::Meter& meter) {
  std::vector<std::string> names;
  for (const DatabaseName& database : kDatabases) {
    const fs::path target = with_suffix(project.data_dir / database.name, kRestoring);
    std::error_code failure;
    fs::remove(target, failure);
    fs::remove(with_suffix(target, "-journal"), failure);
    if (!is_there(backup / database.name)) continue;
    auto copied = copy_checked(backup / database.name, target, database.kind, meter);
    if (!copied) {
      fs::remove(target, failure);
      return std::move(copied).error();
    }
    names.emplace_back(database.name);
  }
  return names;
}

Status check_backup(const fs::path& folder) {
  std::error_code failure;
  if (!fs::is_directory(folder, failure) || !is_there(folder / "heddle.db"))
    return Error{
        ErrorCode::not_found,
        fmt::format("{} is no backup: there is no folder with a heddle.db", folder.string())};
  for (const DatabaseName& database : kDatabases) {
    if (!is_there(folder / database.name)) continue;
    auto checked = store::check_database(folder / database.name, database.kind);
    if (!checked) return std::move(checked).error().during("the backup cannot be used");
  }
  return Done{};
}

}  // namespace

// To the millisecond: what one restore keeps is not overwritten by the next.
std::string suffix_of(std::string_view why, WallTime now) {
  std::string time;
  for (const char c : to_iso8601(now))
    if (c != '-' && c != ':' && c != '.') time += c;
  return fmt::format(".{}-{}", why, time);
}

Result<bool> put_in_place(const fs::path& fresh, const fs::path& file, const std::string& suffix) {
  if (!is_there(file)) {
    if (auto put = rename_to(fresh, file); !put) return std::move(put).error();
    return false;
  }
  const fs::path kept = with_suffix(file, suffix);
  if (const fs::path log = with_suffix(file, "-wal"); is_there(log))
    if (auto moved = rename_to(log, with_suffix(kept, "-wal")); !moved)
      return std::move(moved).error();
  std::error_code ignored;
  fs::remove(with_suffix(file, "-shm"), ignored);  // made from the log, by whoever opens it
  // The name is never without a database: a second name for the old one, then the new one over it.
  if (auto linked = link_to(file, kept); !linked) return std::move(linked).error();
  if (auto put = rename_to(fresh, file); !put) return std::move(put).error();
  if (auto synced = sync_folder(file.parent_path()); !synced) return std::move(synced).error();
  return true;
}

Result<cli::BackupReport> back_up_project(const Project& project, const cli::BackupOrder& wanted,
                                          const cli::Meter& meter) {
  cli::BackupOrder order = wanted;
  if (order.folder.filename().empty()) order.folder = order.folder.parent_path();  // "folder/"
  if (auto is_free = refuse_target(order); !is_free) return std::move(is_free).error();
  if (!is_there(project.data_dir / "heddle.db"))
    return Error{ErrorCode::not_found, fmt::format("there is no database in {}: nothing was stored "
                                                   "yet",
                                                   project.data_dir.string())};
  if (auto settled = settle_restore(project.data_dir); !settled) return std::move(settled).error();
  auto unfinished = UnfinishedBackup::make(with_suffix(order.folder, ".part"));
  if (!unfinished) return std::move(unfinished).error();
  const fs::path part = with_suffix(order.folder, ".part");
  cli::BackupReport report;
  for (const DatabaseName& database : kDatabases) {
    const fs::path from = project.data_dir / database.name;
    if (!is_there(from)) continue;
    auto copied = copy_checked(from, part / database.name, database.kind, meter);
    if (!copied) return std::move(copied).error();
    report.files.emplace_back(database.name);
    report.bytes += size_of(part / database.name);
  }
  if (auto named = unfinished->name_it(order); !named) return std::move(named).error();
  return report;
}

Result<cli::RestoreReport> restore_project(const Project& project, const fs::path& folder,
                                           WallTime now, const cli::Meter& meter) {
  auto lock = ProjectLock::acquire_soon(project.data_dir, ProjectLock::Hold::brief);
  if (!lock) return std::move(lock).error();
  if (auto checked = check_backup(folder); !checked) return std::move(checked).error();
  auto names = bring_near(project, folder, meter);
  if (!names) return std::move(names).error();
  cli::RestoreReport report;
  report.files = std::move(*names);
  RestorePlan plan;
  plan.suffix = suffix_of("replaced", now);
  plan.replace = report.files;
  for (const DatabaseName& database : kDatabases) {
    const fs::path file = project.data_dir / database.name;
    if (is_there(file)) report.kept.push_back(with_suffix(file, plan.suffix));
    if (!is_there(with_suffix(file, kRestoring))) plan.remove.emplace_back(database.name);
  }
  if (auto decided = decide_restore(project.data_dir, plan); !decided)
    return std::move(decided).error();
  if (auto finished = finish_restore(project.data_dir); !finished)
    return std::move(finished).error();
  return report;
}

}  // namespace heddle::app

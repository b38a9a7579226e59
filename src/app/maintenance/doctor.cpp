#include "app/maintenance/doctor.hpp"

#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "app/daemon/disk_usage.hpp"
#include "app/maintenance/backup.hpp"
#include "app/maintenance/restore_plan.hpp"
#include "app/project/project_databases.hpp"
#include "app/project/project_lock.hpp"
#include "base/files/access_text.hpp"
#include "base/files/private_files.hpp"
#include "base/quantity.hpp"
#include "store/scripts/script_schema.hpp"
#include "store/sqlite/core/schema.hpp"
#include "store/sqlite/repair/database_copy.hpp"
#include "store/sqlite/repair/salvage.hpp"
#include "store/sqlite/retention/orphan_rows.hpp"

namespace heddle::app {

namespace fs = std::filesystem;
using cli::Finding;
using cli::FindingLevel;
using store::DatabaseKind;

namespace {

constexpr std::int64_t kLeastFree = 256 << 20;
constexpr std::size_t kShownDamage = 5;
constexpr const char* kAdviceForDamage =
    "restore a backup (`heddle restore`), or save what can be read (`heddle doctor --repair`); "
    "then look for the cause: a failing disk, or a copy of the file made while it was in use";

class ProjectExamination {
 public:
  explicit ProjectExamination(const Project& project) : folder_(project.data_dir) {}

  std::vector<Finding> run() {
    std::error_code failure;
    if (!fs::exists(folder_, failure)) {
      add(FindingLevel::fine, folder_.string() + " does not exist: nothing was stored yet", "");
      return std::move(findings_);
    }
    if (!examine_folder()) return std::move(findings_);
    if (is_restore_unfinished(folder_))
      add(FindingLevel::warning, "a restore was interrupted: some databases are not replaced yet",
          "the next command that uses them, or `heddle up`, finishes it");
    for (const ProjectDatabase& database : kProjectDatabases) examine_database(database);
    examine_files();
    examine_space();
    if (findings_.empty())
      add(FindingLevel::fine,
          "there is no database in " + folder_.string() + ": nothing was stored yet", "");
    return std::move(findings_);
  }

 private:
  void add(FindingLevel level, std::string what, std::string advice, std::string damaged = {}) {
    findings_.push_back({level, std::move(what), std::move(advice), std::move(damaged)});
  }

  bool examine_folder() {
    if (faccessat(AT_FDCWD, folder_.c_str(), R_OK | X_OK, AT_EACCESS) != 0) {
      add(FindingLevel::broken,
          fmt::format("{} cannot be read: {}", folder_.string(), access_text(folder_, errno)),
          "give it to the user who runs heddle (`chown -R`), or run heddle as its owner");
      return false;
    }
    if (faccessat(AT_FDCWD, folder_.c_str(), W_OK, AT_EACCESS) != 0)
      add(FindingLevel::broken,
          fmt::format("{} cannot be written: {}", folder_.string(), access_text(folder_, errno)),
          "nothing can be stored: check owner, permissions and mount");
    if (auto exposed = exposed_folder_warning(folder_))
      add(FindingLevel::warning, std::move(*exposed), "");
    return true;
  }

  void examine_database(const ProjectDatabase& database) {
    const fs::path file = folder_ / database.name;
    std::error_code failure;
    if (!fs::exists(file, failure)) {
      if (fs::exists(file.string() + "-wal", failure))
        add(FindingLevel::broken,
            fmt::format("{}-wal exists, but {} is missing", database.name, database.name),
            fmt::format("restore {} beside it: the -wal file holds its newest changes. Move the "
                        "-wal file away only if you start with an empty database",
                        database.name));
      return;
    }
    if (fs::file_size(file, failure) == 0 && !failure) {
      add(FindingLevel::fine, fmt::format("{} is empty: nothing was stored yet", database.name),
          "");
      return;
    }
    auto db = store::open_for_reading(file);
    if (!db) return add_failure(database, db.error());
    auto known =
        database.kind == DatabaseKind::engine ? store::check_upgradable(**db) : Status(Done{});
    if (!known) return add_failure(database, known.error());
    examine_contents(database, **db);
  }

  void add_failure(const ProjectDatabase& database, const Error& why) {
    if (why.code == ErrorCode::corrupt)
      return add(FindingLevel::broken, why.message, kAdviceForDamage, database.name);
    add(FindingLevel::broken, why.message, "");
  }

  void examine_contents(const ProjectDatabase& database, store::Connection& db) {
    auto damage = store::find_damage(db, database.kind);
    if (!damage) return add_failure(database, damage.error());
    if (!damage->empty()) {
      std::string text = fmt::format("{} is damaged:", database.name);
      for (std::size_t i = 0; i < damage->size() && i < kShownDamage; ++i)
        text += "\n    " + (*damage)[i];
      if (damage->size() > kShownDamage) text += "\n    …";
      return add(FindingLevel::broken, std::move(text), kAdviceForDamage, database.name);
    }
    add(FindingLevel::fine, fmt::format("{} is intact", database.name), "");
    if (database.kind != DatabaseKind::engine) return;
    auto schema = store::check_schema(db);
    if (!schema) return add(FindingLevel::warning, schema.error().message, "");
    examine_stray_rows(db);
  }

  void examine_stray_rows(store::Connection& db) {
    auto strays = store::find_orphan_rows(db);
    if (!strays) return add(FindingLevel::broken, strays.error().message, "");
    for (const store::OrphanRows& stray : *strays)
      add(FindingLevel::warning,
          fmt::format("{} of {} {} to {} that do not exist", counted(stray.count, "row"),
                      cli::meaning_of_table(stray.table), stray.count == 1 ? "belongs" : "belong",
                      cli::meaning_of_table(stray.of)),
          "they are harmless: what they belonged to was lost with a damaged page");
  }

  // Finds temporary files of interrupted commands, files kept by earlier repairs, and unreadable
  // files.
  void examine_files() {
    std::error_code failure;
    auto entry = fs::recursive_directory_iterator(
        folder_, fs::directory_options::skip_permission_denied, failure);
    for (; !failure && entry != fs::recursive_directory_iterator(); entry.increment(failure)) {
      const fs::path& path = entry->path();
      std::error_code gone;
      if (!fs::is_regular_file(fs::symlink_status(path, gone)) && !fs::is_directory(path, gone))
        continue;
      if (faccessat(AT_FDCWD, path.c_str(), R_OK, AT_EACCESS) != 0 && errno == EACCES)
        add(FindingLevel::warning, path.string() + " cannot be read: " + access_text(path, errno),
            "give it to the user who runs heddle");
      if (path.parent_path() == folder_) examine_temp_file(path);
    }
  }

  void examine_temp_file(const fs::path& path) {
    const std::string name = path.filename().string();
    const bool is_ours = name.starts_with("heddle.db.") || name.starts_with("scripts.db.");
    if (!is_ours || name.ends_with("-wal") || name.ends_with("-shm")) return;
    const auto has = [&name](std::string_view part) {
      return name.find(part) != std::string::npos;
    };
    if (name.ends_with(".restoring") || name.ends_with(".repairing") || name.ends_with(".part"))
      return add(FindingLevel::warning, name + " was left by an interrupted command",
                 "it may be removed");
    if (has(".before-"))
      return add(FindingLevel::fine, name + " is the copy from before an upgrade of Heddle",
                 "remove it if you do not need it");
    if (has(".replaced-") || has(".damaged-"))
      add(FindingLevel::fine, name + " is a former file that a restore or a repair has kept",
          "remove it if you do not need it");
  }

  void examine_space() {
    const auto free = disk_free(folder_);
    if (!free || *free >= kLeastFree) return;
    add(FindingLevel::warning, fmt::format("only {} MB free on the disk", *free >> 20),
        "free some space: without it nothing can be stored");
  }

  fs::path folder_;
  std::vector<Finding> findings_;
};

bool is_damaged(const fs::path& file, DatabaseKind kind) {
  std::error_code failure;
  if (!fs::exists(file, failure) || fs::file_size(file, failure) == 0) return false;
  const auto checked = store::check_database(file, kind);
  return !checked && checked.error().code == ErrorCode::corrupt;
}

void remove_database(const fs::path& file) {
  std::error_code ignored;
  for (const char* part : {"", "-wal", "-shm", "-journal"})
    fs::remove(file.string() + part, ignored);
}

Status make_empty(const fs::path& file, DatabaseKind kind) {
  if (kind == DatabaseKind::scripts) return store::make_script_file(file);
  auto db = store::Connection::open(file, {});
  if (!db) return std::move(db).error();
  return store::migrate(**db, store::migrations());
}

// The new database is complete before the damaged one is moved.
class Repair {
 public:
  Repair(WallTime now, bool allow_empty, cli::RepairReport& report)
      : allow_empty_(allow_empty), suffix_(suffix_of("damaged", now)), report_(report) {}

  Status run(const fs::path& file, const ProjectDatabase& database) {
    fs::path fresh = file;
    fresh += ".repairing";
    remove_database(fresh);
    auto filled = fill(file, fresh, database);
    if (!filled) {
      remove_database(fresh);
      return std::move(filled).error().during("nothing was changed");
    }
    if (!*filled) return Done{};
    if (auto put = install_database(fresh, file, suffix_); !put) return put;
    report_.kept.push_back(file.string() + suffix_);
    return Done{};
  }

 private:
  // Returns false when there is no replacement.
  Result<bool> fill(const fs::path& file, const fs::path& fresh, const ProjectDatabase& database) {
    auto tables = store::salvage(file, fresh, database.kind);
    if (tables) {
      for (const store::SavedTable& table : *tables)
        report_.tables.push_back(
            {database.name, table.name, table.saved, table.lost, table.rebuilt});
      return true;
    }
    if (tables.error().code != ErrorCode::corrupt) return std::move(tables).error();
    remove_database(fresh);
    if (!allow_empty_) {
      report_.unreadable.push_back({file, std::move(tables).error().message});
      return false;
    }
    if (auto made = make_empty(fresh, database.kind); !made) return std::move(made).error();
    report_.recreated_empty.emplace_back(database.name);
    return true;
  }

  bool allow_empty_;
  std::string suffix_;
  cli::RepairReport& report_;
};

}  // namespace

std::vector<Finding> examine_project(const Project& project) {
  return ProjectExamination(project).run();
}

Result<cli::RepairReport> repair_project(const Project& project, WallTime now, bool allow_empty) {
  std::error_code failure;
  cli::RepairReport report;
  if (!fs::exists(project.data_dir, failure)) return report;
  auto lock = ProjectLock::acquire_soon(project.data_dir, ProjectLock::Hold::brief);
  if (!lock) return std::move(lock).error();
  Repair repair(now, allow_empty, report);
  for (const ProjectDatabase& database : kProjectDatabases) {
    const fs::path file = project.data_dir / database.name;
    if (!is_damaged(file, database.kind)) continue;
    if (auto repaired = repair.run(file, database); !repaired) return std::move(repaired).error();
  }
  return report;
}

}  // namespace heddle::app

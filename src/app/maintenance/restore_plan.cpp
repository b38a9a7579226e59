#include "app/maintenance/restore_plan.hpp"

#include <fstream>

#include <fmt/format.h>

#include "app/maintenance/file_operations.hpp"
#include "app/project/project_databases.hpp"
#include "store/sqlite/core/connection.hpp"

namespace heddle::app {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kPlanName = "restore.plan";
constexpr std::string_view kFirstLine = "heddle restore 1";
constexpr std::string_view kLastLine = "end";

std::string text_of(const RestorePlan& plan) {
  std::string text = fmt::format("{}\nsuffix {}\n", kFirstLine, plan.suffix);
  for (const std::string& name : plan.replace) text += "replace " + name + "\n";
  for (const std::string& name : plan.remove) text += "remove " + name + "\n";
  return text + std::string(kLastLine) + "\n";
}

// The plan contains file names, so only lines that we write ourselves are accepted.
bool parse_plan_line(std::string_view line, RestorePlan& plan) {
  const auto space = line.find(' ');
  if (space == std::string_view::npos) return false;
  const std::string_view word = line.substr(0, space);
  const std::string value(line.substr(space + 1));
  if (word == "suffix") {
    plan.suffix = value;
    return value.starts_with(".replaced-") && value.find('/') == std::string::npos;
  }
  if (!is_database_name(value)) return false;
  if (word != "replace" && word != "remove") return false;
  (word == "replace" ? plan.replace : plan.remove).push_back(value);
  return true;
}

Result<RestorePlan> read_plan(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const Error odd{ErrorCode::corrupt,
                  fmt::format("{} is invalid: it should describe an interrupted restore; remove it "
                              "and restore the backup again",
                              file.string())};
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  if (lines.size() < 3 || lines.front() != kFirstLine || lines.back() != kLastLine) return odd;
  RestorePlan plan;
  for (std::size_t i = 1; i + 1 < lines.size(); ++i)
    if (!parse_plan_line(lines[i], plan)) return odd;
  if (plan.suffix.empty()) return odd;
  return plan;
}

// Restores one database. Each step is idempotent.
class DatabaseRestore {
 public:
  DatabaseRestore(const fs::path& file, const std::string& suffix, const BeforeStep& before)
      : file_(file), kept_(with_suffix(file, suffix)), before_(before) {}

  Status replace() {
    const fs::path fresh = with_suffix(file_, kRestoring);
    if (!path_exists(fresh)) {  // already renamed
      if (path_exists(file_)) return Done{};
      return Error{ErrorCode::corrupt, fresh.string() + " is missing: restore the backup again"};
    }
    if (path_exists(file_)) {
      if (auto moved = move_log(); !moved) return moved;
      if (auto kept = keep(); !kept) return kept;
    }
    before_("put " + file_.filename().string());
    return rename_to(fresh, file_);
  }

  Status remove() {
    if (auto moved = move_log(); !moved) return moved;
    if (!path_exists(file_)) return Done{};
    before_("remove " + file_.filename().string());
    return rename_to(file_, kept_);
  }

 private:
  // Links the old one before the new one is renamed over it: a database exists at the path at any
  // moment.
  Status keep() {
    if (path_exists(kept_)) return Done{};
    before_("keep " + file_.filename().string());
    return link_to(file_, kept_);
  }

  // The WAL belongs to the old database and must not be applied to the new one.
  Status move_log() {
    if (path_exists(with_suffix(file_, "-wal")) && path_exists(file_)) {
      // Fails if it is damaged: the WAL is moved with it.
      auto db = store::Connection::open(file_, {});
      if (db) (void)(*db)->execute("PRAGMA wal_checkpoint(TRUNCATE)");
    }
    for (const char* part : {"-wal", "-shm"}) {
      const fs::path from = with_suffix(file_, part);
      if (!path_exists(from)) continue;
      before_("move " + from.filename().string());
      if (auto moved = rename_to(from, with_suffix(kept_, part)); !moved) return moved;
    }
    return Done{};
  }

  fs::path file_;
  fs::path kept_;
  const BeforeStep& before_;
};

}  // namespace

bool is_restore_unfinished(const fs::path& data_dir) {
  return path_exists(data_dir / kPlanName);
}

Status commit_restore(const fs::path& data_dir, const RestorePlan& plan, const BeforeStep& before) {
  const fs::path draft = data_dir / (std::string(kPlanName) + ".part");
  before("write the restore plan");
  if (auto written = write_durably(draft, text_of(plan)); !written) return written;
  before("decide");
  if (auto named = rename_to(draft, data_dir / kPlanName); !named) return named;
  return sync_folder(data_dir);
}

Status finish_restore(const fs::path& data_dir, const BeforeStep& before) {
  const fs::path file = data_dir / kPlanName;
  if (!path_exists(file)) return Done{};
  auto plan = read_plan(file);
  if (!plan) return std::move(plan).error();
  for (const std::string& name : plan->replace)
    if (auto done = DatabaseRestore(data_dir / name, plan->suffix, before).replace(); !done)
      return std::move(done).error().during("cannot finish the interrupted restore");
  for (const std::string& name : plan->remove)
    if (auto done = DatabaseRestore(data_dir / name, plan->suffix, before).remove(); !done)
      return std::move(done).error().during("cannot finish the interrupted restore");
  before("sync");
  if (auto synced = sync_folder(data_dir); !synced) return synced;
  before("remove the restore plan");
  if (auto gone = remove_file(file); !gone) return gone;
  return sync_folder(data_dir);
}

}  // namespace heddle::app

#include "app/restore_plan.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "app/file_steps.hpp"
#include "store/sqlite/connection.hpp"

namespace heddle::app {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kPlanName = "restore.plan";
constexpr std::string_view kFirstLine = "heddle restore 1";
constexpr std::string_view kLastLine = "end";
constexpr std::array<std::string_view, 2> kDatabases{"heddle.db", "scripts.db"};

void tell(const BeforeStep& before, std::string_view step) {
  if (before) before(step);
}

std::string text_of(const RestorePlan& plan) {
  std::string text = fmt::format("{}\nsuffix {}\n", kFirstLine, plan.suffix);
  for (const std::string& name : plan.replace) text += "replace " + name + "\n";
  for (const std::string& name : plan.remove) text += "remove " + name + "\n";
  return text + std::string(kLastLine) + "\n";
}

// Names of files come from it: nothing but what we write is taken.
bool take_line(std::string_view line, RestorePlan& plan) {
  const auto space = line.find(' ');
  if (space == std::string_view::npos) return false;
  const std::string_view word = line.substr(0, space);
  const std::string value(line.substr(space + 1));
  if (word == "suffix") {
    plan.suffix = value;
    return value.starts_with(".replaced-") && value.find('/') == std::string::npos;
  }
  if (std::find(kDatabases.begin(), kDatabases.end(), value) == kDatabases.end()) return false;
  if (word != "replace" && word != "remove") return false;
  (word == "replace" ? plan.replace : plan.remove).push_back(value);
  return true;
}

Result<RestorePlan> read_plan(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  const Error odd{ErrorCode::corrupt,
                  fmt::format("{} cannot be understood: a restore was cut short, and this should "
                              "say how it goes on; remove it and restore the backup again",
                              file.string())};
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  if (lines.size() < 3 || lines.front() != kFirstLine || lines.back() != kLastLine) return odd;
  RestorePlan plan;
  for (std::size_t i = 1; i + 1 < lines.size(); ++i)
    if (!take_line(lines[i], plan)) return odd;
  if (plan.suffix.empty()) return odd;
  return plan;
}

// What is done to one database. Each step finds out whether it was done before.
class OneDatabase {
 public:
  OneDatabase(const fs::path& file, const std::string& suffix, const BeforeStep& before)
      : file_(file), kept_(with_suffix(file, suffix)), before_(before) {}

  Status replace() {
    const fs::path fresh = with_suffix(file_, kRestoring);
    if (!is_there(fresh)) {  // it has the place already
      if (is_there(file_)) return Done{};
      return Error{ErrorCode::corrupt, fresh.string() + " is gone: restore the backup again"};
    }
    if (is_there(file_)) {
      if (auto moved = move_log(); !moved) return moved;
      if (auto kept = keep(); !kept) return kept;
    }
    tell(before_, "put " + file_.filename().string());
    return rename_to(fresh, file_);
  }

  Status remove() {
    if (auto moved = move_log(); !moved) return moved;
    if (!is_there(file_)) return Done{};
    tell(before_, "take away " + file_.filename().string());
    return rename_to(file_, kept_);
  }

 private:
  // The name is never without a database: a second name for the old one, then the new one over it.
  Status keep() {
    if (is_there(kept_)) return Done{};
    tell(before_, "keep " + file_.filename().string());
    return link_to(file_, kept_);
  }

  // Its last changes go with it, and not into the one that takes its place.
  Status move_log() {
    if (is_there(with_suffix(file_, "-wal")) && is_there(file_)) {
      auto db = store::Connection::open(file_, {});  // a damaged one keeps its log beside it
      if (db) (void)(*db)->execute("PRAGMA wal_checkpoint(TRUNCATE)");
    }
    for (const char* part : {"-wal", "-shm"}) {
      const fs::path from = with_suffix(file_, part);
      if (!is_there(from)) continue;
      tell(before_, "move " + from.filename().string());
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
  return is_there(data_dir / kPlanName);
}

Status decide_restore(const fs::path& data_dir, const RestorePlan& plan, const BeforeStep& before) {
  const fs::path draft = data_dir / (std::string(kPlanName) + ".part");
  tell(before, "write the plan");
  if (auto written = write_durably(draft, text_of(plan)); !written) return written;
  tell(before, "decide");
  if (auto named = rename_to(draft, data_dir / kPlanName); !named) return named;
  return sync_folder(data_dir);
}

Status finish_restore(const fs::path& data_dir, const BeforeStep& before) {
  const fs::path file = data_dir / kPlanName;
  if (!is_there(file)) return Done{};
  auto plan = read_plan(file);
  if (!plan) return std::move(plan).error();
  for (const std::string& name : plan->replace)
    if (auto done = OneDatabase(data_dir / name, plan->suffix, before).replace(); !done)
      return std::move(done).error().during("finish a restore");
  for (const std::string& name : plan->remove)
    if (auto done = OneDatabase(data_dir / name, plan->suffix, before).remove(); !done)
      return std::move(done).error().during("finish a restore");
  tell(before, "sync");
  if (auto synced = sync_folder(data_dir); !synced) return synced;
  tell(before, "forget the plan");
  if (auto gone = remove_file(file); !gone) return gone;
  return sync_folder(data_dir);
}

}  // namespace heddle::app

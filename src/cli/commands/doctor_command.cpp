#include <algorithm>

#include <fmt/format.h>

#include "cli/commands.hpp"

namespace heddle::cli {

namespace {

std::string_view level_text(FindingLevel level) {
  if (level == FindingLevel::fine) return "fine";
  return level == FindingLevel::warning ? "warning" : "broken";
}

Colour colour_of(FindingLevel level) {
  if (level == FindingLevel::fine) return Colour::green;
  return level == FindingLevel::warning ? Colour::yellow : Colour::red;
}

bool has_lost_any(const TableLoss& table) {
  return !table.lost || *table.lost > 0;
}

void print_findings(CommandContext& context, const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) {
    const std::string level =
        finding.level == FindingLevel::fine ? "ok:" : fmt::format("{}:", level_text(finding.level));
    context.out.line(context.out.paint(colour_of(finding.level), level) + " " + finding.what);
    if (!finding.advice.empty()) context.out.line("  " + finding.advice);
  }
}

std::string advice_for_unreadable(const UnreadableDatabase& lost) {
  return fmt::format(
      "nothing of {} can be read: {}\n  The file was not changed. `heddle restore FOLDER` replaces "
      "it by a backup. Without a backup, `heddle doctor --repair --start-empty` renames the file "
      "and starts with an empty database; every item is then reported as new.",
      lost.file.string(), lost.why);
}

// The repair was tried already, so the advice must not suggest it again.
void add_advice(const std::vector<UnreadableDatabase>& unreadable, std::vector<Finding>& findings) {
  for (Finding& finding : findings)
    for (const UnreadableDatabase& lost : unreadable)
      if (lost.file.filename() == finding.damaged_file) {
        finding.what = advice_for_unreadable(lost);
        finding.advice.clear();
      }
}

std::string meaning_of_lost_statuses(const TableLoss& loss) {
  std::string text;
  if (loss.rebuilt > 0)
    text = fmt::format(
        "{} restored from the last event: paused, stopped or archived as before. Other jobs whose "
        "state was lost",
        counted(loss.rebuilt, "job state was", "job states were"));
  else
    text = "Jobs whose state was lost";
  return text +
         " start with the next `heddle up`, even if they were paused or stopped: see `heddle "
         "jobs`, and pause or stop them before you start the daemon";
}

void print_repair(CommandContext& context, const RepairReport& report) {
  for (const std::filesystem::path& kept : report.kept)
    context.out.line("repaired; the damaged file is kept: " + kept.string());
  for (const std::string& database : report.recreated_empty)
    context.out.line(
        fmt::format("nothing of {} could be read: it was replaced by an empty database", database));
  TextTable table({"DATABASE", "ROWS OF", "SAVED", "LOST"});
  for (const TableLoss& loss : report.tables)
    if (loss.saved > 0 || has_lost_any(loss))
      table.add({loss.database, meaning_of_table(loss.table), std::to_string(loss.saved),
                 loss.lost ? std::to_string(*loss.lost) : "some"});
  if (!table.is_empty()) table.print(context.out);
  for (const TableLoss& loss : report.tables)
    if (loss.table == "job_lives" && has_lost_any(loss))
      context.out.line(meaning_of_lost_statuses(loss));
}

void write_finding(JsonWriter& json, const Finding& finding) {
  json.begin_object().field("level", level_text(finding.level)).field("what", finding.what);
  json.field("advice", finding.advice).end_object();
}

void write_loss(JsonWriter& json, const TableLoss& loss) {
  json.begin_object().field("database", loss.database).field("table", loss.table);
  json.field("saved", loss.saved).field("lost", loss.lost).field("rebuilt", loss.rebuilt);
  json.end_object();
}

void write_examination(JsonWriter& json, const std::vector<Finding>& findings,
                       const RepairReport& report) {
  json.begin_object().key("findings").array(findings, write_finding);
  json.key("repaired").array(report.tables, write_loss);
  json.key("kept").array(report.kept, write_path);
  json.key("unreadable").begin_array();
  for (const UnreadableDatabase& lost : report.unreadable) write_path(json, lost.file);
  json.end_array().field("begun_empty", report.recreated_empty).end_object();
}

}  // namespace

ExitCode run_doctor(CommandContext& context, const DoctorArguments& arguments) {
  std::vector<Finding> findings = context.maintenance.examine(context.loaded.project);
  RepairReport report;
  const bool is_damaged = std::ranges::any_of(
      findings, [](const Finding& finding) { return !finding.damaged_file.empty(); });
  if (arguments.repair && is_damaged) {
    auto repaired = context.maintenance.repair(context.loaded.project, arguments.allow_empty);
    if (!repaired) {
      if (!context.json) print_findings(context, findings);
      return context.fail(repaired.error().message);
    }
    report = std::move(*repaired);
    if (!context.json) print_repair(context, report);
    findings = context.maintenance.examine(context.loaded.project);
    add_advice(report.unreadable, findings);
  }
  if (context.json)
    context.print_json(write_examination, findings, report);
  else
    print_findings(context, findings);
  const bool is_broken = std::ranges::count(findings, FindingLevel::broken, &Finding::level) > 0;
  return is_broken ? ExitCode::failed : ExitCode::done;
}

}  // namespace heddle::cli

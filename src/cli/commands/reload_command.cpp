// `heddle reload`: makes the daemon re-read the project's files and prints the changes.
#include <algorithm>

#include <fmt/format.h>

#include "cli/call_daemon.hpp"
#include "cli/commands.hpp"

namespace heddle::cli {

namespace {

void print_list(CommandContext& context, std::string_view what,
                const std::vector<std::string>& jobs) {
  for (const std::string& job : jobs) context.out.line(fmt::format("{} {}", what, job));
}

bool needs_restart(const control::ReloadReport& report) {
  return std::any_of(report.settings.begin(), report.settings.end(),
                     [](const control::ChangedSetting& change) { return change.needs_restart; });
}

void print_settings(CommandContext& context, const control::ReloadReport& report) {
  for (const control::ChangedSetting& change : report.settings) {
    const std::string what = fmt::format("{}: {} -> {}", change.key, change.before, change.after);
    if (change.needs_restart)
      context.err.line("heddle.toml: " + what + " counts from the daemon's next start");
    else
      context.out.line("setting: " + what);
  }
}

void write_setting(JsonWriter& json, const control::ChangedSetting& change) {
  json.begin_object().field("key", change.key).field("before", change.before);
  json.field("after", change.after).field("at_next_start", change.needs_restart).end_object();
}

void write_reload(JsonWriter& json, const control::ReloadReport& report) {
  json.begin_object().field("added", report.added).field("changed", report.changed);
  json.field("removed", report.removed).field("broken", report.broken);
  json.key("settings").array(report.settings, write_setting);
  json.field("needs_restart", needs_restart(report)).end_object();
}

void print_reload(CommandContext& context, const control::ReloadReport& report) {
  print_settings(context, report);
  print_list(context, "new:    ", report.added);
  print_list(context, "changed:", report.changed);
  print_list(context, "gone:   ", report.removed);
  for (const std::string& mistake : report.broken)
    context.err.line(mistake + " (the job keeps its former version)");
  if (report.added.empty() && report.changed.empty() && report.removed.empty())
    context.out.line("no job has changed");
}

}  // namespace

ExitCode reload_project(CommandContext& context, bool dry_run) {
  auto loaded = load_for_reading(context);
  if (!loaded) return context.fail(loaded.error().message);
  auto report = call_daemon(context, loaded->project, control::kReload, control::Reload{dry_run});
  if (!report) return context.fail_without_daemon(report.error());
  if (context.json)
    context.print_json(write_reload, *report);
  else
    print_reload(context, *report);
  return report->broken.empty() ? ExitCode::done : ExitCode::failed;
}

}  // namespace heddle::cli

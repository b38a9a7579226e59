// `heddle reload`: makes the daemon re-read the project's files and prints the changes.
#include <algorithm>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/job_summary.hpp"

namespace heddle::cli {

namespace {

void print_list(CommandContext& context, std::string_view what,
                const std::vector<std::string>& jobs) {
  for (const std::string& job : jobs) context.out.line(fmt::format("{} {}", what, job));
}

bool needs_restart(const ipc::ReloadReport& report) {
  return std::any_of(report.settings.begin(), report.settings.end(),
                     [](const ipc::ChangedSetting& change) { return change.needs_restart; });
}

void print_settings(CommandContext& context, const ipc::ReloadReport& report) {
  for (const ipc::ChangedSetting& change : report.settings) {
    const std::string what = fmt::format("{}: {} -> {}", change.key, change.before, change.after);
    if (change.needs_restart)
      context.err.line("heddle.toml: " + what + " counts from the daemon's next start");
    else
      context.out.line("setting: " + what);
  }
}

void print_reload_json(CommandContext& context, const ipc::ReloadReport& report) {
  JsonWriter json;
  const auto write = [&json](std::string_view key, const std::vector<std::string>& texts) {
    json.key(key).begin_array();
    for (const std::string& text : texts) json.value(text);
    json.end_array();
  };
  json.begin_object();
  write("added", report.added);
  write("changed", report.changed);
  write("removed", report.removed);
  write("broken", report.broken);
  json.key("settings").begin_array();
  for (const ipc::ChangedSetting& change : report.settings)
    json.begin_object()
        .field("key", change.key)
        .field("before", change.before)
        .field("after", change.after)
        .field("at_next_start", change.needs_restart)
        .end_object();
  json.end_array();
  json.field("needs_restart", needs_restart(report));
  json.end_object();
  context.out.line(json.text());
}

void print_reload(CommandContext& context, const ipc::ReloadReport& report) {
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
  auto report = context.backend.reload(loaded->project, dry_run);
  if (!report)
    return context.fail(report.error().message, report.error().code == ErrorCode::not_found
                                                    ? ExitCode::no_daemon
                                                    : ExitCode::failed);
  if (context.json)
    print_reload_json(context, *report);
  else
    print_reload(context, *report);
  return report->broken.empty() ? ExitCode::done : ExitCode::failed;
}

}  // namespace heddle::cli

// The backup and restore commands.
#include <chrono>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/file_progress_line.hpp"

namespace heddle::cli {

namespace {

void write_backup(JsonWriter& json, const std::filesystem::path& folder,
                  const BackupReport& report) {
  json.begin_object().field("backup", folder.string()).field("files", report.files);
  json.field("bytes", report.bytes).end_object();
}

void write_restore(JsonWriter& json, const RestoreReport& report) {
  json.begin_object().field("restored", report.files);
  json.key("kept").array(report.kept, write_path).end_object();
}

}  // namespace

ExitCode back_up(CommandContext& context, const BackupRequest& request) {
  auto loaded = load_for_reading(context);
  if (!loaded) return context.fail(loaded.error().message);
  FileProgressLine line(context.err);
  auto report = context.maintenance.back_up(loaded->project, request, line.callback());
  line.clear();
  if (!report) return context.fail(report.error().message);
  if (context.json) return context.print_json(write_backup, request.folder, *report);
  context.out.line(fmt::format("{}: {}, {}", request.folder.string(),
                               fmt::join(report->files, " and "), bytes_text(report->bytes)));
  return ExitCode::done;
}

ExitCode restore(CommandContext& context, const std::filesystem::path& folder) {
  auto loaded = load_for_reading(context);
  if (!loaded) return context.fail(loaded.error().message);
  FileProgressLine line(context.err);
  auto report = context.maintenance.restore(loaded->project, folder, line.callback());
  line.clear();
  if (!report) return context.fail(report.error().message);
  if (context.json) return context.print_json(write_restore, *report);
  context.out.line(fmt::format("restored: {}", fmt::join(report->files, " and ")));
  for (const std::filesystem::path& kept : report->kept)
    context.out.line("what was there before is kept: " + kept.string());
  return ExitCode::done;
}

}  // namespace heddle::cli

// The backup and restore commands.
#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "cli/commands.hpp"

namespace heddle::cli {

namespace {

constexpr std::chrono::milliseconds kRewriteInterval{200};

FileProgress shown_on(ProgressLine& line) {
  return [&line](std::string_view what, std::int64_t done, std::int64_t all) {
    if (line.is_due())
      line.show(fmt::format("{}: {} of {}, {} %", what, size_text(done), size_text(all),
                            done * 100 / std::max<std::int64_t>(all, 1)));
  };
}

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
  ProgressLine line(context.err, kRewriteInterval);
  auto report = context.maintenance.back_up(context.loaded.project, request, shown_on(line));
  line.clear();
  if (!report) return context.fail(report.error().message);
  if (context.json) return context.print_json(write_backup, request.folder, *report);
  context.out.line(fmt::format("{}: {}, {}", request.folder.string(),
                               fmt::join(report->files, " and "), size_text(report->bytes)));
  return ExitCode::done;
}

ExitCode restore(CommandContext& context, const std::filesystem::path& folder) {
  ProgressLine line(context.err, kRewriteInterval);
  auto report = context.maintenance.restore(context.loaded.project, folder, shown_on(line));
  line.clear();
  if (!report) return context.fail(report.error().message);
  if (context.json) return context.print_json(write_restore, *report);
  context.out.line(fmt::format("restored: {}", fmt::join(report->files, " and ")));
  for (const std::filesystem::path& kept : report->kept)
    context.out.line("the former file is kept: " + kept.string());
  return ExitCode::done;
}

}  // namespace heddle::cli

// The backup and restore commands.
#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "cli/commands.hpp"

namespace heddle::cli {

namespace {

constexpr std::chrono::milliseconds kRewriteInterval{200};

// "1.5 MB".
std::string bytes_text(std::int64_t bytes) {
  const auto number = static_cast<double>(bytes);
  if (bytes < 1000) return fmt::format("{} B", bytes);
  if (bytes < 1'000'000) return fmt::format("{:.1f} kB", number / 1e3);
  if (bytes < 1'000'000'000) return fmt::format("{:.1f} MB", number / 1e6);
  return fmt::format("{:.1f} GB", number / 1e9);
}

FileProgress shown_on(ProgressLine& line) {
  return [&line](std::string_view what, std::int64_t done, std::int64_t all) {
    if (line.is_due())
      line.show(fmt::format("{}: {} of {}, {} %", what, bytes_text(done), bytes_text(all),
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
                               fmt::join(report->files, " and "), bytes_text(report->bytes)));
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
    context.out.line("what was there before is kept: " + kept.string());
  return ExitCode::done;
}

}  // namespace heddle::cli

// The backup and restore commands.
#include <chrono>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/file_progress_line.hpp"

namespace heddle::cli {

namespace {

template <class Text>
void write_list(JsonWriter& json, std::string_view key, const std::vector<Text>& texts) {
  json.key(key).begin_array();
  for (const Text& text : texts) json.value(std::filesystem::path(text).string());
  json.end_array();
}

}  // namespace

ExitCode back_up(CommandContext& context, const BackupRequest& request) {
  auto loaded = load_for_reading(context);
  if (!loaded) return context.fail(loaded.error().message);
  FileProgressLine line(context.err);
  auto report = context.maintenance.back_up(loaded->project, request, line.callback());
  line.clear();
  if (!report) return context.fail(report.error().message);
  if (context.json) {
    JsonWriter json;
    json.begin_object().field("backup", request.folder.string());
    write_list(json, "files", report->files);
    json.field("bytes", report->bytes).end_object();
    context.out.line(json.text());
    return ExitCode::done;
  }
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
  if (context.json) {
    JsonWriter json;
    json.begin_object();
    write_list(json, "restored", report->files);
    write_list(json, "kept", report->kept);
    json.end_object();
    context.out.line(json.text());
    return ExitCode::done;
  }
  context.out.line(fmt::format("restored: {}", fmt::join(report->files, " and ")));
  for (const std::filesystem::path& kept : report->kept)
    context.out.line("what was there before is kept: " + kept.string());
  return ExitCode::done;
}

}  // namespace heddle::cli

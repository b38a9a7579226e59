// Backup and restore.
#include <chrono>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/meter_line.hpp"

namespace heddle::cli {

namespace {

template <class Text>
void write_list(JsonWriter& json, std::string_view key, const std::vector<Text>& texts) {
  json.key(key).begin_array();
  for (const Text& text : texts) json.value(std::filesystem::path(text).string());
  json.end_array();
}

}  // namespace

ExitCode back_up(Context& context, const BackupOrder& order) {
  auto loaded = load_for_reading(context);
  if (!loaded) return context.fail(loaded.error().message);
  MeterLine line(context.err);
  auto report = context.upkeep.back_up(loaded->project, order, line.meter());
  line.clear();
  if (!report) return context.fail(report.error().message);
  if (context.json) {
    JsonWriter json;
    json.begin_object().field("backup", order.folder.string());
    write_list(json, "files", report->files);
    json.field("bytes", report->bytes).end_object();
    context.out.line(json.text());
    return ExitCode::done;
  }
  context.out.line(fmt::format("{}: {}, {}", order.folder.string(),
                               fmt::join(report->files, " and "), bytes_text(report->bytes)));
  return ExitCode::done;
}

ExitCode restore(Context& context, const std::filesystem::path& folder) {
  auto loaded = load_for_reading(context);
  if (!loaded) return context.fail(loaded.error().message);
  MeterLine line(context.err);
  auto report = context.upkeep.restore(loaded->project, folder, line.meter());
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

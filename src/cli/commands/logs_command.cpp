// The command that shows and follows logs.
#include <algorithm>
#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/log_reader.hpp"
#include "store/empty_reader.hpp"

namespace heddle::cli {

namespace {

constexpr std::chrono::milliseconds kLogPollInterval{300};

void write_log_line(JsonWriter& json, const LogLine& line) {
  const auto text_or_null = [&json](std::string_view name, const std::string& text) {
    json.key(name);
    text.empty() ? json.null() : json.value(text);
  };
  json.begin_object().field("time", line.at).field("source", to_text(line.source));
  text_or_null("level", line.level);
  text_or_null("job_id", line.job);
  text_or_null("run_id", line.run);
  json.field("text", line.text).end_object();
}

// "shop: ", "daemon: "; nothing in the log of one job.
std::string origin_of(const LogLine& line, bool shows_all) {
  if (!shows_all) return "";
  return (line.job.empty() ? std::string("daemon") : line.job) + ": ";
}

void print_log_lines(CommandContext& context, const std::vector<LogLine>& lines, bool shows_all) {
  for (const LogLine& line : lines) {
    const bool has_level = line.level == "warning" || line.level == "error";
    context.out.line(fmt::format(
        "{} {}{}{}", context.out.paint(Colour::grey, context.times().exact_text(line.at)),
        origin_of(line, shows_all), has_level ? line.level + ": " : "", line.text));
  }
}

// One object per line, so that a program can read them as they come.
void print_json_lines(CommandContext& context, const std::vector<LogLine>& lines) {
  for (const LogLine& line : lines) {
    JsonWriter json;
    write_log_line(json, line);
    context.out.print(json.text() + "\n");
  }
}

// The first run or daemon of a project creates its database.
Status find_new_database(CommandContext& context, LogReader& log) {
  if (dynamic_cast<store::EmptyReader*>(context.reader.get()) == nullptr) return Done{};
  auto opened = open_reader(context);
  if (opened) log.set_reader(*context.reader);
  return opened;
}

}  // namespace

ExitCode show_logs(CommandContext& context, const LogsArguments& arguments) {
  auto job = arguments.job.empty() ? Result<JobId>(JobId{}) : find_job_id(context, arguments.job);
  if (!job) return context.fail(job.error().message);
  const bool shows_all = job->text.empty();
  LogReader log(*context.reader, *job, context.loaded.project.data_dir,
                std::max<std::size_t>(arguments.lines, 1));
  auto lines = log.read_new();
  if (!lines) return context.fail(lines.error().message);
  if (lines->size() > arguments.lines)
    lines->erase(lines->begin(), lines->end() - static_cast<std::ptrdiff_t>(arguments.lines));
  if (context.json && !arguments.follow) return context.print_json_array(*lines, write_log_line);
  if (!context.json)
    context.err.line(context.err.paint(Colour::grey, "times: " + context.times().zone()));
  while (true) {
    context.json ? print_json_lines(context, *lines) : print_log_lines(context, *lines, shows_all);
    if (!arguments.follow) return ExitCode::done;
    if (auto printed = context.out.finish(); !printed)
      return ExitCode::failed;      // the reader is gone
    if (context.out.is_unread()) {  // also while there is nothing to write
      context.out.end_unread();
      return ExitCode::failed;
    }
    std::this_thread::sleep_for(kLogPollInterval);
    if (auto found = find_new_database(context, log); !found)
      return context.fail(found.error().message);
    lines = log.read_new();
    if (!lines) return context.fail(lines.error().message);
  }
}

}  // namespace heddle::cli

#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/log_lines.hpp"

namespace heddle::cli {

namespace {

constexpr std::chrono::milliseconds kLogPollInterval{300};

// Merges new events of the store with new lines of scripts and programs.
class JobLog {
 public:
  JobLog(store::Reader& reader, JobId job, const std::filesystem::path& folder, std::size_t max)
      : reader_(reader),
        job_(std::move(job)),
        scripts_(folder / "job.log", max),
        programs_(folder / "output.log", max),
        max_(max) {}

  Result<std::vector<JobLogLine>> read_new() {
    auto events = reader_.job_events(job_, last_event_, max_);
    if (!events) return std::move(events).error();
    std::vector<JobLogLine> lines = scripts_.read_new();
    for (JobLogLine& line : programs_.read_new()) lines.push_back(std::move(line));
    for (const store::StoredEvent& event : *events) {
      last_event_ = event.id;
      lines.push_back({event.at, event_text(event)});
    }
    std::stable_sort(lines.begin(), lines.end(),
                     [](const JobLogLine& a, const JobLogLine& b) { return a.at < b.at; });
    return lines;
  }

 private:
  store::Reader& reader_;
  JobId job_;
  LogFileTail scripts_;
  LogFileTail programs_;
  std::size_t max_;
  std::int64_t last_event_ = 0;
};

void print_lines(CommandContext& context, const std::vector<JobLogLine>& lines) {
  for (const JobLogLine& line : lines)
    context.out.line(context.out.paint(Colour::grey, to_iso8601(line.at)) + " " + line.text);
}

void write_line(JsonWriter& json, const JobLogLine& line) {
  json.begin_object().field("time", line.at).field("text", line.text).end_object();
}

}  // namespace

ExitCode show_logs(CommandContext& context, const LogsArguments& arguments) {
  auto job = find_job_id(context, arguments.job);
  if (!job) return context.fail(job.error().message);
  Job known;
  known.id = *job;
  const auto folder = context.loaded.project.job_data_dir(known);
  JobLog log(*context.reader, *job, folder, std::max<std::size_t>(arguments.lines, 1));
  auto lines = log.read_new();
  if (!lines) return context.fail(lines.error().message);
  if (lines->size() > arguments.lines)
    lines->erase(lines->begin(), lines->end() - static_cast<std::ptrdiff_t>(arguments.lines));
  if (context.json) return context.print_json_array(*lines, write_line);
  print_lines(context, *lines);
  while (arguments.follow) {
    if (auto printed = context.out.finish(); !printed)
      return ExitCode::failed;  // the reader is gone
    std::this_thread::sleep_for(kLogPollInterval);
    lines = log.read_new();
    if (!lines) return context.fail(lines.error().message);
    print_lines(context, *lines);
  }
  return ExitCode::done;
}

}  // namespace heddle::cli

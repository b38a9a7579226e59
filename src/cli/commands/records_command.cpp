#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/csv.hpp"
#include "cli/run_json.hpp"
#include "cli/since.hpp"

namespace heddle::cli {

namespace {

constexpr std::size_t kAllRecords = std::numeric_limits<std::size_t>::max();

struct JobHistory {
  config::Loaded loaded;
  std::unique_ptr<store::Reader> reader;
  JobId job;
};

Result<JobHistory> history_of(CommandContext& context, const std::string& name) {
  auto loaded = load_for_reading(context);
  if (!loaded) return std::move(loaded.error());
  auto reader = open_history(context, loaded->project);
  if (!reader) return std::move(reader.error());
  auto job = find_job_id(*loaded, **reader, name);
  if (!job) return std::move(job.error());
  return JobHistory{std::move(*loaded), std::move(*reader), std::move(*job)};
}

// Prints records while they are read, so that memory does not grow with their number.
class RecordPrinter {
 public:
  RecordPrinter(CommandContext& context, std::string format, std::vector<std::string> columns)
      : context_(context), format_(std::move(format)), columns_(std::move(columns)) {
    if (format_ == "json") context_.out.print("[");
    if (format_ == "csv") print_csv_header();
  }

  void print(const Record& record) {
    if (format_ == "json") {
      JsonWriter json;
      write_record(json, record);
      context_.out.print((count_ > 0 ? ",\n" : "") + json.text());
    } else if (format_ == "jsonl") {
      JsonWriter json;
      write_record(json, record);
      context_.out.line(json.text());
    } else if (format_ == "csv") {
      context_.out.print(csv_row(cells_of(record)));
    } else {
      rows_.push_back(short_cells_of(record));
    }
    ++count_;
  }

  void finish() {
    if (format_ == "json") context_.out.line("]");
    if (format_ != "table") return;
    if (rows_.empty()) return context_.out.line("no items yet");
    std::vector<std::string> names{"FIRST SEEN"};
    names.insert(names.end(), columns_.begin(), columns_.end());
    TextTable table(std::move(names));
    for (auto& row : rows_) table.add(std::move(row));
    table.print(context_.out);
  }

 private:
  [[nodiscard]] std::vector<std::string> header() const {
    std::vector<std::string> names{"id", "first_seen", "last_seen", "state", "url"};
    names.insert(names.end(), columns_.begin(), columns_.end());
    names.emplace_back("matches");
    return names;
  }

  void print_csv_header() { context_.out.print(csv_row(header())); }

  void append_fields(const Record& record, std::vector<std::string>& cells) const {
    for (const std::string& column : columns_) {
      const std::string* value = record.item.find(column);
      cells.push_back(value != nullptr ? *value : "");
    }
  }

  // A terminal fits only the time and the fields; the other formats have everything.
  [[nodiscard]] std::vector<std::string> short_cells_of(const Record& record) const {
    std::string when = to_iso8601(record.first_seen).substr(0, 16);
    when[10] = ' ';
    std::vector<std::string> cells{std::move(when)};
    append_fields(record, cells);
    return cells;
  }

  [[nodiscard]] std::vector<std::string> cells_of(const Record& record) const {
    std::vector<std::string> cells{std::to_string(record.id), to_iso8601(record.first_seen),
                                   to_iso8601(record.last_seen), record.state, record.url};
    append_fields(record, cells);
    std::string matches;
    for (const std::string& match : record.item.matches)
      matches += (matches.empty() ? "" : "; ") + match;
    cells.push_back(std::move(matches));
    return cells;
  }

  CommandContext& context_;
  std::string format_;
  std::vector<std::string> columns_;
  std::vector<std::vector<std::string>> rows_;
  std::size_t count_ = 0;
};

void add_new_names(const Record& record, std::vector<std::string>& names) {
  for (const Field& field : record.item.fields)
    if (std::find(names.begin(), names.end(), field.first) == names.end())
      names.push_back(field.first);
}

// The configured fields first, then other fields of older items.
Result<std::vector<std::string>> columns_of(JobHistory& history, std::optional<WallTime> since) {
  std::vector<std::string> names;
  if (const Job* job = history.loaded.project.find_job(history.job.text))
    for (const FieldRule& rule : job->fields) names.push_back(rule.name);
  auto read = history.reader->for_each_record(history.job, since, [&](const Record& record) {
    add_new_names(record, names);
    return true;
  });
  if (!read) return std::move(read.error());
  return names;
}

std::string format_of(const CommandContext& context, const RecordsArguments& arguments) {
  if (!arguments.format.empty()) return arguments.format;
  return context.json ? "json" : "table";
}

}  // namespace

ExitCode show_records(CommandContext& context, const RecordsArguments& arguments) {
  std::optional<WallTime> since;
  if (!arguments.since.empty()) {
    since = parse_since(arguments.since, SystemClock().now());
    if (!since)
      return context.fail(
          fmt::format("--since {}: not a time; allowed: 2026-11-01, 2026-11-01T08:00Z, 7d, 12h",
                      arguments.since),
          ExitCode::wrong_usage);
  }
  auto history = history_of(context, arguments.job);
  if (!history) return context.fail(history.error().message);
  const std::string format = format_of(context, arguments);
  std::vector<std::string> columns;
  if (format == "csv" || format == "table") {
    auto names = columns_of(*history, since);
    if (!names) return context.fail(names.error().message);
    columns = std::move(*names);
  }
  RecordPrinter printer(context, format, std::move(columns));
  std::size_t printed = 0;
  auto read = history->reader->for_each_record(history->job, since, [&](const Record& record) {
    printer.print(record);
    return ++printed != arguments.limit;
  });
  printer.finish();
  return read ? ExitCode::done : context.fail(read.error().message);
}

ExitCode show_runs(CommandContext& context, const RunsArguments& arguments) {
  auto history = history_of(context, arguments.job);
  if (!history) return context.fail(history.error().message);
  auto runs = history->reader->runs(history->job, arguments.limit == 0 ? kAllRecords : arguments.limit);
  if (!runs) return context.fail(runs.error().message);
  if (context.json) {
    JsonWriter json;
    json.begin_array();
    for (const Run& run : *runs) write_run(json, run);
    context.out.line(json.end_array().text());
    return ExitCode::done;
  }
  if (runs->empty()) {
    context.out.line(fmt::format("no runs yet; start one: heddle run {}", history->job.text));
    return ExitCode::done;
  }
  TextTable table({"RUN", "STARTED", "TOOK", "STATE", "PAGES", "FAILED", "ITEMS", "NEW", "GONE",
                   "CHANGES", "CPU", "WORKER"});
  for (const Run& run : *runs)
    table.add({run.id.text, to_iso8601(run.started_at),
               run.ended_at ? duration_text(*run.ended_at - run.started_at) : "",
               std::string(to_text(run.state)),
               fmt::format("{}/{}", run.pages.done, run.pages.total),
               std::to_string(run.pages.failed), std::to_string(run.items.seen),
               std::to_string(run.items.fresh), std::to_string(run.items.gone),
               std::to_string(run.changes),
               duration_text(std::chrono::duration_cast<std::chrono::milliseconds>(run.cpu)),
               fmt::format("{}", fmt::join(run.slots, ","))});
  table.print(context.out);
  return ExitCode::done;
}

ExitCode show_version(CommandContext& context) {
  if (context.json) {
    JsonWriter json;
    context.out.line(json.begin_object().field("version", HEDDLE_VERSION).end_object().text());
  } else {
    context.out.line("heddle " HEDDLE_VERSION);
  }
  return ExitCode::done;
}

}  // namespace heddle::cli

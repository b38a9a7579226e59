#include "cli/commands.hpp"
#include "cli/since.hpp"
#include "views/record_view.hpp"

namespace heddle::cli {

namespace {

using views::RecordQuery;

// The columns of a table are those of the first items: later ones do not add any.
constexpr std::size_t kItemsForColumns = TextTable::kRowsForWidths;

// The configured fields first, then other fields of older items.
Result<std::vector<std::string>> field_names_of(const RecordQuery& query, const Project& project) {
  std::vector<std::string> configured;
  if (const Job* job = project.find_job(query.job.text))
    for (const FieldRule& rule : job->fields) configured.push_back(rule.name);
  return views::read_field_names(query, std::move(configured));
}

Status print_records(CommandContext& context, const RecordQuery& query,
                     views::RecordWriter writer) {
  context.out.print(writer.header());
  auto read = views::for_each_record(
      query, [&](const Record& record) { context.out.print(writer.record(record)); });
  context.out.print(writer.footer());
  return read;
}

// A terminal fits only the time, the state and the fields; the other formats have everything.
Status print_record_table(CommandContext& context, const RecordQuery& query) {
  RecordQuery first = query;
  if (first.limit == 0 || first.limit > kItemsForColumns) first.limit = kItemsForColumns;
  auto names = field_names_of(first, context.loaded.project);
  if (!names) return std::move(names).error();
  const std::vector<std::string>& fields = *names;
  std::vector<std::string> header = fields;
  header.insert(header.begin(), {context.times().header("FIRST SEEN"), "STATE"});
  TextTable table(std::move(header));
  table.stream_to(context.out);
  auto read = views::for_each_record(query, [&](const Record& record) {
    std::vector<std::string> row = views::field_values(record.item, fields);
    row.insert(row.begin(), {context.times().text(record.first_seen), record.state});
    table.add({row.begin(), row.end()});
  });
  if (table.is_empty())
    context.out.line("no items yet");
  else
    table.print(context.out);
  return read;
}

}  // namespace

ExitCode show_records(CommandContext& context, const RecordsArguments& arguments) {
  if (context.json && !arguments.format.empty() && arguments.format != "json")
    return context.fail(
        "--json and --format " + arguments.format + " contradict each other: give one of them",
        ExitCode::wrong_usage);
  auto since = since_option(arguments.since, SystemClock().now());
  if (!since) return context.fail(since.error().message, ExitCode::wrong_usage);
  if (auto opened = open_listing(context); !opened) return context.fail(opened.error().message);
  auto job = find_job_id(context, arguments.job);
  if (!job) return context.fail(job.error().message);
  const RecordQuery query{*context.reader, *job, *since, arguments.limit};
  const auto format = arguments.format.empty() && context.json
                          ? views::RecordFormat::json
                          : views::record_format_from(arguments.format);
  std::vector<std::string> fields;
  if (format == views::RecordFormat::csv) {
    auto names = field_names_of(query, context.loaded.project);
    if (!names) return context.fail(names.error().message);
    fields = std::move(*names);
  }
  auto printed = format ? print_records(context, query, {*format, std::move(fields)})
                        : print_record_table(context, query);
  return printed ? ExitCode::done : context.fail(printed.error().message);
}

}  // namespace heddle::cli

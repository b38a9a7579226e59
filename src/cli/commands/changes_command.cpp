#include <functional>

#include "cli/commands.hpp"
#include "cli/since.hpp"
#include "views/change_view.hpp"

namespace heddle::cli {

namespace {

struct ChangeQuery {
  JobId job;
  std::optional<WallTime> since;
  std::size_t limit = 0;  // 0: all
};

Status visit_changes(CommandContext& context, const ChangeQuery& query,
                     const std::function<void(const Change&)>& visit) {
  std::size_t visited = 0;
  return context.reader->for_each_change(query.job, query.since, [&](const Change& change) {
    visit(change);
    return ++visited != query.limit;
  });
}

Status print_json(CommandContext& context, const ChangeQuery& query) {
  std::string separator = "[";
  auto read = visit_changes(context, query, [&](const Change& change) {
    JsonWriter json;
    views::write_change(json, change);
    context.out.print(separator + json.take());
    separator = ",\n";
  });
  context.out.print(separator == "[" ? "[]\n" : "]\n");
  return read;
}

// What people know an item by: its first field with a text. A text is known by its page.
std::string name_of_item(const Change& change) {
  if (is_of_text(change.kind)) return change.url;
  for (const Field& field : change.item.fields)
    if (!field.second.empty()) return field.second;
  return "item " + std::to_string(change.item_id);
}

std::string_view why_there_are_none(const CommandContext& context, const ChangeQuery& query) {
  const Job* job = context.loaded.project.find_job(query.job.text);
  if (job != nullptr && job->key.empty() && job->watch == WatchKind::items)
    return "no changes: jobs with `key` record changes of their items, jobs with watch = \"text\" "
           "those of their pages (`heddle explain key`)";
  return query.since ? "no changes in this time" : "no changes yet";
}

Status print_table(CommandContext& context, const ChangeQuery& query) {
  TextTable table({context.times().header("TIME"), "ITEM", "CHANGE", "BEFORE", "AFTER"});
  table.stream_to(context.out);
  auto read = visit_changes(context, query, [&](const Change& change) {
    const bool has_field = change.kind == ChangeKind::item_changed;
    table.add({context.times().text(change.at), name_of_item(change),
               has_field ? change.field : views::change_word(change.kind), change.before,
               change.after});
  });
  if (table.is_empty())
    context.out.line(why_there_are_none(context, query));
  else
    table.print(context.out);
  return read;
}

}  // namespace

ExitCode show_changes(CommandContext& context, const ChangesArguments& arguments) {
  auto since = since_option(arguments.since, SystemClock().now());
  if (!since) return context.fail(since.error().message, ExitCode::wrong_usage);
  if (auto opened = open_listing(context); !opened) return context.fail(opened.error().message);
  auto job = find_job_id(context, arguments.job);
  if (!job) return context.fail(job.error().message);
  const ChangeQuery query{*job, *since, arguments.limit};
  auto printed = context.json ? print_json(context, query) : print_table(context, query);
  return printed ? ExitCode::done : context.fail(printed.error().message);
}

}  // namespace heddle::cli

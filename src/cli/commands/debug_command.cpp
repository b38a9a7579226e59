#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/program_view.hpp"
#include "cli/run_json.hpp"

namespace heddle::cli {

namespace {

void write_stage(JsonWriter& json, Stage stage, const StageTrace& trace) {
  json.begin_object().field("name", to_text(stage)).field("status", to_text(trace.status));
  json.field("type", type_of(stage) == StageType::hook ? "hook" : "internal");
  json.key("duration_ms")
      .raw(fmt::format("{:.3f}", static_cast<double>(trace.duration.count()) / 1000.0));
  if (trace.lua_mem_bytes > 0)
    json.field("lua_mem_bytes", trace.lua_mem_bytes)
        .field("mem_delta_bytes", trace.mem_delta_bytes);
  if (!trace.note.empty())
    json.field(trace.status == StageStatus::error ? "error" : "note", trace.note);
  json.end_object();
}

void write_trace(JsonWriter& json, const CycleTrace& trace) {
  json.key("stages").begin_array();
  for (std::size_t i = 0; i < kStageCount; ++i)
    write_stage(json, static_cast<Stage>(i), trace.stages[i]);
  json.end_array();
}

void write_items(JsonWriter& json, const DebugPage& page) {
  json.key("items").begin_array();
  for (std::size_t i = 0; i < page.items.size(); ++i) {
    const Item& item = page.items[i];
    json.begin_object().key("fields").begin_object();
    for (const Field& field : item.fields) json.field(field.first, field.second);
    json.end_object();
    json.key("values").raw(item.values_json.empty() ? "{}" : item.values_json);
    json.key("matches").begin_array();
    for (const std::string& match : item.matches) json.value(match);
    json.end_array();
    json.field("new", i < page.is_new.size() && page.is_new[i]).end_object();
  }
  json.end_array();
}

void print_json(CommandContext& context, const Job& job, const std::vector<DebugPage>& pages) {
  JsonWriter json;
  json.begin_object().field("job", job.id.text).key("pages").begin_array();
  for (const DebugPage& page : pages) {
    json.begin_object().field("url", page.task.url).field("status", page.status);
    if (!page.error.kind.empty()) {
      json.key("error").begin_object();
      json.field("kind", page.error.kind).field("message", page.error.message).end_object();
    }
    write_items(json, page);
    write_trace(json, page.trace);
    json.key("would_send").begin_array();
    for (const Delivery& delivery : page.deliveries)
      json.begin_object()
          .field("kind", to_text(delivery.kind))
          .key("payload")
          .raw(delivery.payload)
          .end_object();
    json.end_array().key("files").begin_array();
    for (const auto& file : page.files) json.value(file.string());
    json.end_array().end_object();
  }
  context.out.line(json.end_array().end_object().text());
}

// The fields of all items in order of appearance: scripts may add some.
std::vector<std::string> field_names(const DebugPage& page) {
  std::vector<std::string> names;
  for (const Item& item : page.items)
    for (const Field& field : item.fields)
      if (std::find(names.begin(), names.end(), field.first) == names.end())
        names.push_back(field.first);
  return names;
}

void print_items(CommandContext& context, const Job& job, const DebugPage& page) {
  if (page.items.empty()) return context.out.line("  no items");
  const std::vector<std::string> names = field_names(page);
  std::vector<std::string> header{""};
  header.insert(header.end(), names.begin(), names.end());
  if (!job.keywords.empty()) header.emplace_back("KEYWORDS");
  TextTable table(std::move(header));
  for (std::size_t i = 0; i < page.items.size(); ++i) {
    const Item& item = page.items[i];
    std::vector<std::string> row{i < page.is_new.size() && page.is_new[i] ? "new" : "known"};
    for (const std::string& name : names) {
      const std::string* value = item.find(name);
      row.push_back(value == nullptr ? "" : *value);
    }
    if (!job.keywords.empty()) row.push_back(join(item.matches, ", "));
    table.add(std::move(row));
  }
  table.print(context.out);
}

Colour colour_of(StageStatus status) {
  switch (status) {
    case StageStatus::success:
      return Colour::green;
    case StageStatus::error:
      return Colour::red;
    default:
      return Colour::grey;
  }
}

// Memory of the script after a hook, and the change by the hook.
std::string memory_text(const StageTrace& stage) {
  if (stage.lua_mem_bytes == 0) return "";
  return fmt::format("Lua {:.0f} KB ({:+.1f})  ", static_cast<double>(stage.lua_mem_bytes) / 1000.0,
                     static_cast<double>(stage.mem_delta_bytes) / 1000.0);
}

void print_trace(CommandContext& context, const CycleTrace& trace) {
  for (std::size_t i = 0; i < kStageCount; ++i) {
    const StageTrace& stage = trace.stages[i];
    if (stage.status == StageStatus::inactive) continue;
    const std::string status = fmt::format("{:<8}", to_text(stage.status));
    context.out.line(fmt::format("  {:<16} {} {:>9.2f} ms  {}{}", to_text(static_cast<Stage>(i)),
                                 context.out.paint(colour_of(stage.status), status),
                                 static_cast<double>(stage.duration.count()) / 1000.0,
                                 memory_text(stage), stage.note));
  }
}

void print_page(CommandContext& context, const Job& job, const DebugPage& page) {
  context.out.line(context.out.paint(Colour::bold, page.task.url));
  if (!page.error.kind.empty())
    context.out.line("  " + context.out.paint(Colour::red, page.error.kind) + "  " +
                     page.error.message);
  else
    print_items(context, job, page);
  print_trace(context, page.trace);
  for (const Delivery& delivery : page.deliveries)
    context.out.line(
        fmt::format("  would send {}: {}", to_text(delivery.kind), fit(delivery.payload, 300)));
  for (const auto& file : page.files) context.out.line("  saved " + file.string());
}

}  // namespace

ExitCode debug_job(CommandContext& context, const DebugArguments& arguments) {
  auto loaded = load(context);
  if (!loaded) return context.fail(loaded.error().message);
  const Job* job = find_job(context, *loaded, arguments.job);
  if (job == nullptr) return ExitCode::failed;
  auto pages = context.backend.debug_job(loaded->project, *job, arguments.pages);
  if (!pages) return context.fail(pages.error().message);
  if (context.json) {
    print_json(context, *job, *pages);
  } else {
    for (const DebugPage& page : *pages) print_page(context, *job, page);
    context.out.line(context.out.paint(Colour::grey, "nothing was stored or sent"));
  }
  for (const DebugPage& page : *pages)
    if (!page.error.kind.empty()) return ExitCode::failed;
  return ExitCode::done;
}

namespace {

void print_run(CommandContext& context, const Run& run) {
  context.out.line(
      fmt::format("run {} of {}: {}, {} of {} pages, {} changed, {} new item{}, {} gone",
                  run.id.text, run.job.text, to_text(run.state), run.pages.done, run.pages.total,
                  run.changes, run.items.fresh, run.items.fresh == 1 ? "" : "s", run.items.gone));
  if (const std::string usage = usage_text(run); !usage.empty()) context.out.line(usage);
}

}  // namespace

ExitCode show_run_trace(CommandContext& context, const std::string& run) {
  auto loaded = load_for_reading(context);
  if (!loaded) return context.fail(loaded.error().message);
  auto reader = open_history(context, loaded->project);
  if (!reader) return context.fail(reader.error().message);
  auto found = (*reader)->run(RunId{run});
  if (!found) return context.fail(found.error().message);
  auto traces = (*reader)->traces(RunId{run});
  if (!traces) return context.fail(traces.error().message);
  auto programs = (*reader)->program_history(RunId{run});
  if (!programs) return context.fail(programs.error().message);
  if (!*found)
    return context.fail(
        fmt::format("there is no run '{}'; `heddle runs JOB` lists a job's runs", run));
  JsonWriter json;
  json.begin_object().field("run_id", run).key("run");
  write_run(json, **found);
  json.key("programs");
  write_programs(json, *programs, (*found)->state);
  json.key("pages").begin_array();
  if (!context.json) print_run(context, **found);
  if (!context.json) print_programs(context, *programs, (*found)->state);
  for (const store::TaskTrace& page : *traces) {
    if (context.json) {
      json.begin_object().field("task", page.task.number).field("url", page.task.url);
      json.field("state", to_text(page.state)).field("attempt", page.task.attempt);
      if (!page.error.empty()) json.field("error", page.error);
      write_trace(json, page.trace);
      json.end_object();
      continue;
    }
    context.out.line(fmt::format(
        "{}  {} (try {}){}", context.out.paint(Colour::bold, page.task.url), to_text(page.state),
        page.task.attempt, page.error.empty() ? "" : ": " + page.error));
    print_trace(context, page.trace);
  }
  if (context.json) context.out.line(json.end_array().end_object().text());
  return ExitCode::done;
}

}  // namespace heddle::cli

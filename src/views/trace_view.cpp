#include "views/trace_view.hpp"

#include "views/program_view.hpp"
#include "views/run_view.hpp"

namespace heddle::views {

namespace {

void write_stage(JsonWriter& json, Stage stage, const StageTrace& trace) {
  json.begin_object().field("name", to_text(stage)).field("status", to_text(trace.status));
  json.field("type", type_of(stage) == StageType::hook ? "hook" : "internal");
  json.field("duration_ms", trace.duration);
  if (trace.lua_mem_bytes > 0)
    json.field("lua_mem_bytes", trace.lua_mem_bytes)
        .field("mem_delta_bytes", trace.mem_delta_bytes);
  if (!trace.note.empty())
    json.field(trace.status == StageStatus::error ? "error" : "note", trace.note);
  json.end_object();
}

void write_page(JsonWriter& json, const store::TaskTrace& page) {
  json.begin_object().field("task", page.task.number).field("url", page.task.url);
  json.field("state", to_text(page.state)).field("attempt", page.task.attempt);
  if (!page.error.empty()) json.field("error", page.error);
  write_stages(json, page.trace);
  json.end_object();
}

}  // namespace

Result<std::optional<RunTrace>> read_run_trace(store::Reader& reader, const RunId& id) {
  auto run = reader.run(id);
  if (!run) return std::move(run).error();
  if (!*run) return std::optional<RunTrace>();
  auto programs = reader.program_history(id);
  if (!programs) return std::move(programs).error();
  auto pages = reader.traces(id);
  if (!pages) return std::move(pages).error();
  return std::optional(RunTrace{std::move(**run), std::move(*programs), std::move(*pages)});
}

void write_run_trace(JsonWriter& json, const RunTrace& trace) {
  json.begin_object().field("run_id", trace.run.id.text);
  write_run(json.key("run"), trace.run);
  write_programs(json.key("programs"), trace.programs, trace.run.state);
  json.key("pages").array(trace.pages, write_page).end_object();
}

void write_stages(JsonWriter& json, const CycleTrace& trace) {
  json.key("stages").begin_array();
  for (std::size_t i = 0; i < kStageCount; ++i)
    write_stage(json, static_cast<Stage>(i), trace.stages[i]);
  json.end_array();
}

}  // namespace heddle::views

#include "views/run_view.hpp"

#include "model/job/program_status.hpp"
#include "model/run/run_problems.hpp"

namespace heddle::views {

namespace {

// Of one run, or the sums of a day.
template <class Counted>
void write_counts(JsonWriter& json, const Counted& counted) {
  json.key("pages").begin_object();
  json.field("total", counted.pages.total).field("done", counted.pages.done);
  json.field("failed", counted.pages.failed).field("skipped", counted.pages.skipped).end_object();
  json.key("items").begin_object();
  json.field("seen", counted.items.seen).field("new", counted.items.fresh);
  json.field("changed", counted.items.changed).field("gone", counted.items.gone).end_object();
  json.field("changes", counted.changes);
  if (counted.price_changes) json.field("price_changes", *counted.price_changes);
}

void write_run_error(JsonWriter& json, const RunError& error) {
  json.begin_object().field("kind", to_text(error.kind)).field("message", error.message);
  if (!error.url.empty()) json.field("url", error.url);
  json.end_object();
}

// Of a process or a hook.
template <class Attempt>
void write_attempt(JsonWriter& json, const Attempt& attempt) {
  json.field("attempt", attempt.attempt).field("state", to_text(attempt.state));
  json.field("started_at", attempt.started_at).field("ended_at", known_end(attempt));
  json.field("exit_code", attempt.exit.code).field("signal", attempt.exit.signal);
}

void write_condition(JsonWriter& json, const ProgramCondition& condition) {
  json.begin_object().field("reason", condition.reason).field("message", condition.message);
  json.field("time", condition.at).end_object();
}

void write_process(JsonWriter& json, const ProcessRecord& process) {
  json.begin_object().field("pid", process.pid).field("index", process.index);
  write_attempt(json, process);
  json.field("peak_memory_bytes", process.peak_memory_bytes);
  json.field("cpu_ms", process.cpu_time).field("ready", process.is_ready);
  if (!process.problem.empty()) json.field("problem", process.problem);
  json.end_object();
}

void write_hook(JsonWriter& json, const HookRecord& hook) {
  json.begin_object().field("name", hook.hook).field("phase", to_text(hook.phase));
  write_attempt(json, hook);
  json.field("output", hook.output).end_object();
}

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

}  // namespace

void write_run(JsonWriter& json, const Run& run) {
  json.begin_object();
  write_run_fields(json, run);
  json.end_object();
}

void write_run_fields(JsonWriter& json, const Run& run) {
  json.field("job", run.job.text).field("job_id", run.job.text).field("run_id", run.id.text);
  json.field("state", to_text(run.state));
  json.field("trigger", to_text(run.trigger)).field("attempt", run.attempt);
  json.field("revision", run.revision).field("started_at", run.started_at);
  json.field("ended_at", run.ended_at);
  write_counts(json, run);
  const RunProblems problems = problems_of(run);
  json.key("errors").array(problems.failures, write_run_error);
  json.key("notices").array(problems.notices, write_run_error);
  json.field("bytes", run.bytes).field("cpu_ms", run.cpu);
  json.field("peak_memory_bytes", run.peak_memory_bytes).field("slots", run.slots);
  json.key("duration_ms");
  run.ended_at ? json.value(*run.ended_at - run.started_at) : json.null();
}

void write_run_day(JsonWriter& json, const RunDay& day) {
  json.begin_object().field("day", date_text(day.day)).field("runs", day.runs);
  json.field("completed", day.completed).field("failed", day.failed);
  json.field("duration_ms", day.duration);
  write_counts(json, day);
  json.field("cpu_ms", day.cpu).field("bytes", day.bytes).end_object();
}

void write_programs(JsonWriter& json, const ProgramHistory& history, RunState state) {
  const ProgramStatus status = program_status(history, state);
  json.begin_object().field("phase", to_text(status.phase)).field("active", status.active);
  json.field("succeeded", status.succeeded).field("failed", status.failed);
  json.key("conditions").array(status.conditions, write_condition);
  json.key("processes").array(history.processes, write_process);
  json.key("hooks").array(history.hooks, write_hook);
  json.end_object();
}

Result<std::optional<RunTrace>> read_run_trace(store::Reader& reader, const RunId& id) {
  auto run = reader.run(id);
  if (!run) return std::move(run).error();
  if (!*run) return std::optional<RunTrace>();
  auto programs = reader.program_history(id);
  if (!programs) return std::move(programs).error();
  return std::optional(RunTrace{std::move(**run), std::move(*programs)});
}

void begin_run_trace(JsonWriter& json, const RunTrace& trace) {
  json.begin_object().field("run_id", trace.run.id.text);
  write_run(json.key("run"), trace.run);
  write_programs(json.key("programs"), trace.programs, trace.run.state);
  json.key("pages").begin_array();
}

void write_traced_page(JsonWriter& json, const store::TaskTrace& page) {
  json.begin_object().field("task", page.task.number).field("url", page.task.url);
  json.field("state", to_text(page.state)).field("attempt", page.task.attempt);
  if (page.task.is_discovered) json.field("depth", page.task.depth);  // of pages that were found
  if (!page.error.empty()) json.field("error", page.error);
  write_stages(json, page.trace);
  json.end_object();
}

void end_run_trace(JsonWriter& json) {
  json.end_array().end_object();
}

void write_stages(JsonWriter& json, const CycleTrace& trace) {
  json.key("stages").begin_array();
  for (std::size_t i = 0; i < kStageCount; ++i)
    write_stage(json, static_cast<Stage>(i), trace.stages[i]);
  json.end_array();
}

}  // namespace heddle::views

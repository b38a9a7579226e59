#include "views/program_view.hpp"

#include "model/job/program_status.hpp"

namespace heddle::views {

namespace {

// Of a process or a hook.
template <class Attempt>
void write_attempt(JsonWriter& json, const Attempt& attempt) {
  json.field("attempt", attempt.attempt).field("state", to_text(attempt.state));
  json.field("started_at", attempt.started_at).field("ended_at", attempt.ended_at);
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

}  // namespace

void write_programs(JsonWriter& json, const ProgramHistory& history, RunState state) {
  const ProgramStatus status = program_status(history, state);
  json.begin_object().field("phase", to_text(status.phase)).field("active", status.active);
  json.field("succeeded", status.succeeded).field("failed", status.failed);
  json.key("conditions").array(status.conditions, write_condition);
  json.key("processes").array(history.processes, write_process);
  json.key("hooks").array(history.hooks, write_hook);
  json.end_object();
}

}  // namespace heddle::views

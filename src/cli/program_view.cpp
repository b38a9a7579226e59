#include "cli/program_view.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "model/job/program_status.hpp"

namespace heddle::cli {

namespace {

constexpr std::size_t kShownProcesses = 20;
constexpr std::size_t kShownOutput = 200;

std::string time_between(WallTime start, const std::optional<WallTime>& end) {
  return end ? duration_text(*end - start) : "-";
}

std::string exit_text(const ProgramExit& exit) {
  if (!exit.code && !exit.signal) return "-";
  return exit.code ? fmt::format("{}", *exit.code) : fmt::format("signal {}", *exit.signal);
}

std::string memory_text(std::int64_t bytes) {
  return bytes == 0 ? "-" : fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

// The last line that is not blank.
std::string last_line(std::string_view output) {
  const std::string_view text = trim(output);
  const std::size_t begin = text.rfind('\n');
  return fit(begin == std::string_view::npos ? text : text.substr(begin + 1), kShownOutput);
}

void print_processes(CommandContext& context, const ProgramHistory& history) {
  if (history.processes.empty()) return;
  TextTable table({"PROCESS", "TRY", "STATE", "PID", "TIME", "EXIT", "CPU", "MEMORY", ""});
  const std::size_t all = history.processes.size();
  const std::size_t left_out = all > kShownProcesses ? all - kShownProcesses : 0;
  for (std::size_t i = left_out; i < all; ++i) {
    const ProcessRecord& process = history.processes[i];
    table.add({std::to_string(process.index), std::to_string(process.attempt),
               std::string(to_text(process.state)) + (process.is_ready ? ", ready" : ""),
               process.pid == 0 ? "-" : std::to_string(process.pid),
               time_between(process.started_at, process.ended_at), exit_text(process.exit),
               duration_text(process.cpu_time), memory_text(process.peak_memory_bytes),
               process.problem});
  }
  table.print(context.out);
  if (left_out > 0) context.out.line(fmt::format("  ({} processes before these)", left_out));
}

void print_hooks(CommandContext& context, const ProgramHistory& history) {
  if (history.hooks.empty()) return;
  TextTable table({"HOOK", "PHASE", "TRY", "STATE", "TIME", "EXIT", "OUTPUT"});
  for (const HookRecord& hook : history.hooks)
    table.add({hook.hook, std::string(to_text(hook.phase)), std::to_string(hook.attempt),
               std::string(to_text(hook.state)), time_between(hook.started_at, hook.ended_at),
               exit_text(hook.exit), last_line(hook.output)});
  table.print(context.out);
}

void write_optional_time(JsonWriter& json, std::string_view name,
                         const std::optional<WallTime>& time) {
  json.key(name);
  time ? json.value(to_iso8601(*time)) : json.null();
}

void write_exit(JsonWriter& json, const ProgramExit& exit) {
  json.key("exit_code");
  exit.code ? json.value(*exit.code) : json.null();
  json.key("signal");
  exit.signal ? json.value(*exit.signal) : json.null();
}

void write_processes(JsonWriter& json, const ProgramHistory& history) {
  json.key("processes").begin_array();
  for (const ProcessRecord& process : history.processes) {
    json.begin_object().field("pid", process.pid).field("index", process.index);
    json.field("attempt", process.attempt).field("state", to_text(process.state));
    write_optional_time(json, "started_at", process.started_at);
    write_optional_time(json, "ended_at", process.ended_at);
    write_exit(json, process.exit);
    json.field("peak_memory_bytes", process.peak_memory_bytes);
    json.field("cpu_ms", process.cpu_time.count()).field("ready", process.is_ready);
    if (!process.problem.empty()) json.field("problem", process.problem);
    json.end_object();
  }
  json.end_array();
}

void write_hooks(JsonWriter& json, const ProgramHistory& history) {
  json.key("hooks").begin_array();
  for (const HookRecord& hook : history.hooks) {
    json.begin_object().field("name", hook.hook).field("phase", to_text(hook.phase));
    json.field("attempt", hook.attempt).field("state", to_text(hook.state));
    write_optional_time(json, "started_at", hook.started_at);
    write_optional_time(json, "ended_at", hook.ended_at);
    write_exit(json, hook.exit);
    json.field("output", hook.output).end_object();
  }
  json.end_array();
}

}  // namespace

void print_programs(CommandContext& context, const ProgramHistory& history, RunState state) {
  if (history.processes.empty() && history.hooks.empty()) return;
  const ProgramStatus status = program_status(history, state);
  // Not completed, but nothing has failed either.
  const bool was_ended = state == RunState::stopped || state == RunState::cancelled;
  context.out.line(fmt::format("programs: {} (active: {}, succeeded: {}, failed: {})",
                               was_ended ? to_text(state) : to_text(status.phase), status.active,
                               status.succeeded, status.failed));
  for (const ProgramCondition& condition : status.conditions)
    context.out.line(fmt::format("  {}{}", condition.reason,
                                 condition.message.empty() ? "" : ": " + condition.message));
  print_processes(context, history);
  print_hooks(context, history);
}

void write_programs(JsonWriter& json, const ProgramHistory& history, RunState state) {
  const ProgramStatus status = program_status(history, state);
  json.begin_object().field("phase", to_text(status.phase));
  json.field("active", status.active).field("succeeded", status.succeeded);
  json.field("failed", status.failed);
  json.key("conditions").begin_array();
  for (const ProgramCondition& condition : status.conditions)
    json.begin_object()
        .field("reason", condition.reason)
        .field("message", condition.message)
        .field("time", to_iso8601(condition.at))
        .end_object();
  json.end_array();
  write_processes(json, history);
  write_hooks(json, history);
  json.end_object();
}

}  // namespace heddle::cli

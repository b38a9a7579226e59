#include "cli/run_tables.hpp"

#include <algorithm>
#include <map>
#include <tuple>

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
  return bytes == 0 ? "-" : size_text(bytes);
}

// The last line that is not blank.
std::string last_line(std::string_view output) {
  const std::string_view text = trim(output);
  const std::size_t begin = text.rfind('\n');
  return fit(begin == std::string_view::npos ? text : text.substr(begin + 1), kShownOutput);
}

std::string state_text(const ProcessRecord& process) {
  const bool is_ready = process.is_ready && process.state == ProcessState::running;
  return std::string(to_text(process.state)) + (is_ready ? ", ready" : "");
}

void print_processes(CommandContext& context, const ProgramHistory& history) {
  if (history.processes.empty()) return;
  TextTable table({"PROCESS", "ATTEMPT", "STATE", "PID", "TIME", "EXIT", "CPU", "MEMORY", ""});
  const std::size_t all = history.processes.size();
  const std::size_t left_out = all > kShownProcesses ? all - kShownProcesses : 0;
  for (std::size_t i = left_out; i < all; ++i) {
    const ProcessRecord& process = history.processes[i];
    table.add({std::to_string(process.index), std::to_string(process.attempt), state_text(process),
               process.pid == 0 ? "-" : std::to_string(process.pid),
               time_between(process.started_at, known_end(process)), exit_text(process.exit),
               duration_text(process.cpu_time), memory_text(process.peak_memory_bytes),
               process.problem});
  }
  table.print(context.out);
  if (left_out > 0)
    context.out.line(
        fmt::format("  (and {} before these)", counted(left_out, "process", "processes")));
}

void print_hooks(CommandContext& context, const ProgramHistory& history) {
  if (history.hooks.empty()) return;
  TextTable table({"HOOK", "PHASE", "ATTEMPT", "STATE", "TIME", "EXIT", "OUTPUT"});
  for (const HookRecord& hook : history.hooks)
    table.add({hook.hook, std::string(to_text(hook.phase)), std::to_string(hook.attempt),
               std::string(to_text(hook.state)), time_between(hook.started_at, known_end(hook)),
               exit_text(hook.exit), last_line(hook.output)});
  table.print(context.out);
}

std::string_view phase_text(const ProgramStatus& status, RunState state, bool is_unfinished) {
  if (is_unfinished) return "unfinished";
  // Not completed, but nothing has failed either.
  const bool was_ended = state == RunState::stopped || state == RunState::cancelled;
  return was_ended ? to_text(state) : to_text(status.phase);
}

Colour colour_of(StageStatus status) {
  if (status == StageStatus::success) return Colour::green;
  return status == StageStatus::error ? Colour::red : Colour::grey;
}

// Memory of the script after a hook, and the change by the hook.
std::string lua_memory_text(const StageTrace& stage) {
  if (stage.lua_mem_bytes == 0) return "";
  return fmt::format("Lua {:.0f} KB ({:+.1f})  ", static_cast<double>(stage.lua_mem_bytes) / 1000.0,
                     static_cast<double>(stage.mem_delta_bytes) / 1000.0);
}

constexpr std::int64_t kLongestBar = 20;
constexpr std::size_t kShownPrices = 20;

std::string bar(const Terminal& terminal, std::int64_t value, std::int64_t most) {
  if (value <= 0 || most <= 0) return "";
  return terminal.bar(std::max<std::int64_t>(1, value * kLongestBar / most));
}

// Merges all days of a price into one that has the number of the newest day.
std::vector<PriceDay> by_price(const std::vector<PriceDay>& days) {
  std::map<std::tuple<std::int64_t, std::string, std::string, std::string>, PriceDay> prices;
  for (const PriceDay& day : days) {
    PriceDay& sum = prices[{day.item, day.page, day.field, day.currency}];
    if (sum.points == 0)
      sum = day;
    else
      add(sum, day);
    sum.day = std::max(sum.day, day.day);
  }
  std::vector<PriceDay> all;
  for (auto& [key, price] : prices) all.push_back(std::move(price));
  return all;
}

}  // namespace

TextTable table_of_runs(CommandContext& context) {
  TextTable table({"RUN", "STATE", context.times().header("STARTED"), "TOOK", "PAGES", "FAILED",
                   "ITEMS", "NEW", "CHANGED", "GONE", "VERSIONS", "CPU", "MEMORY", "WORKER"},
                  1);
  table.drop_columns_that_do_not_fit();
  return table;
}

void add_run(CommandContext& context, TextTable& table, const Run& run) {
  table.add({run.id.text, to_text(run.state), context.times().text(run.started_at),
             run.ended_at ? duration_text(*run.ended_at - run.started_at) : "",
             fmt::format("{}/{}", run.pages.done, run.pages.total),
             std::to_string(run.pages.failed), std::to_string(run.items.seen),
             std::to_string(run.items.fresh), std::to_string(run.items.changed),
             std::to_string(run.items.gone), std::to_string(run.changes), duration_text(run.cpu),
             memory_text(run.peak_memory_bytes), fmt::format("{}", fmt::join(run.slots, ","))});
}

bool is_left(CommandContext& context, RunState state) {
  const Project& project = context.loaded.project;
  return !is_terminal(state) && !context.backend.is_in_use(project);
}

std::string usage_text(const Run& run) {
  if (run.cpu.count() == 0 && run.slots.empty()) return "";
  std::string text = duration_text(run.cpu) + " of CPU time";
  if (run.peak_memory_bytes > 0) text += ", " + size_text(run.peak_memory_bytes);
  if (run.slots.empty()) return text;
  return text + fmt::format(" in worker {}", fmt::join(run.slots, ", "));
}

void print_trace(CommandContext& context, const CycleTrace& trace) {
  for (std::size_t i = 0; i < kStageCount; ++i) {
    const StageTrace& stage = trace.stages[i];
    if (stage.status == StageStatus::inactive) continue;
    const std::string status = fmt::format("{:<8}", to_text(stage.status));
    context.out.line(fmt::format("  {:<16} {} {:>9.2f} ms  {}{}", to_text(static_cast<Stage>(i)),
                                 context.out.paint(colour_of(stage.status), status),
                                 static_cast<double>(stage.duration.count()) / 1000.0,
                                 lua_memory_text(stage), stage.note));
  }
}

void print_programs(CommandContext& context, const ProgramHistory& history, RunState state,
                    bool is_unfinished) {
  if (history.processes.empty() && history.hooks.empty()) return;
  const ProgramStatus status = program_status(history, state);
  context.out.line(fmt::format("programs: {} (active: {}, succeeded: {}, failed: {})",
                               phase_text(status, state, is_unfinished), status.active,
                               status.succeeded, status.failed));
  for (const ProgramCondition& condition : status.conditions)
    context.out.line(fmt::format("  {}{}", condition.reason,
                                 condition.message.empty() ? "" : ": " + condition.message));
  print_processes(context, history);
  print_hooks(context, history);
}

void print_run_days(CommandContext& context, const std::vector<RunDay>& days) {
  if (days.empty()) return;
  std::int64_t most = 0;
  for (const RunDay& day : days) most = std::max(most, day.pages.total);
  TextTable table(
      {"DAY", "RUNS", "FAILED", "PAGES", "", "NEW", "CHANGED", "GONE", "VERSIONS", "CPU"});
  table.drop_columns_that_do_not_fit();
  for (const RunDay& day : days)
    table.add({date_text(day.day), std::to_string(day.runs), std::to_string(day.failed),
               std::to_string(day.pages.total), bar(context.out, day.pages.total, most),
               std::to_string(day.items.fresh), std::to_string(day.items.changed),
               std::to_string(day.items.gone), std::to_string(day.changes),
               duration_text(day.cpu)});
  context.out.line("");
  table.print(context.out);
}

void print_price_days(CommandContext& context, const std::vector<PriceDay>& days) {
  const std::vector<PriceDay> prices = by_price(days);
  if (prices.empty()) return;
  TextTable table({"PRICE", "OF", "LOWEST", "HIGHEST", "AVERAGE", "LAST"});
  for (std::size_t i = 0; i < prices.size() && i < kShownPrices; ++i) {
    const PriceDay& price = prices[i];
    table.add({price.currency.empty() ? price.field : price.field + " " + price.currency,
               price.item != 0 ? fmt::format("item {}", price.item) : price.page,
               fmt::format("{:.2f}", price.lowest), fmt::format("{:.2f}", price.highest),
               fmt::format("{:.2f}", price.average), date_text(price.day)});
  }
  context.out.line("");
  table.print(context.out);
  if (prices.size() > kShownPrices)
    context.out.line(fmt::format("and {}: --json has them all",
                                 counted(prices.size() - kShownPrices, "more price")));
}

}  // namespace heddle::cli

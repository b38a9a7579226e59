#include <cmath>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/output_tail.hpp"
#include "cli/progress_printer.hpp"
#include "cli/run_json.hpp"

namespace heddle::cli {

namespace {

constexpr std::size_t kShownErrors = 10;
constexpr int kRunBarWidth = 30;

Colour colour_of(RunState state) {
  switch (state) {
    case RunState::completed:
      return Colour::green;
    case RunState::failed:
      return Colour::red;
    default:
      return Colour::yellow;
  }
}

std::string size_text(std::int64_t bytes) {
  if (bytes < 1000) return fmt::format("{} B", bytes);
  if (bytes < 1'000'000) return fmt::format("{:.1f} kB", static_cast<double>(bytes) / 1e3);
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

void print_errors(CommandContext& context, const Run& run) {
  for (std::size_t i = 0; i < run.errors.size() && i < kShownErrors; ++i) {
    const RunError& error = run.errors[i];
    const std::string where = error.url.empty() ? "" : error.url + ": ";
    context.out.line("  " + context.out.paint(Colour::red, error.kind) + "  " +
                     fit(where + error.message, 400));
  }
  const std::int64_t rest = run.pages.failed - static_cast<std::int64_t>(kShownErrors);
  if (rest > 0)
    context.out.line(fmt::format("  … and {} more: heddle run-trace {}", rest, run.id.text));
}

void print_messages(CommandContext& context, const RunReport& report) {
  const store::OutboxCounts& messages = report.messages;
  if (messages.waiting > 0)
    context.out.line(fmt::format(
        "  {} message{} could not be sent yet and will be tried again with the next run:",
        messages.waiting, messages.waiting == 1 ? "" : "s"));
  for (const std::string& error : report.message_errors) context.out.line("    " + error);
}

void print_run(CommandContext& context, const Job& job, const RunReport& report) {
  const Run& run = report.run;
  const auto duration =
      run.ended_at ? *run.ended_at - run.started_at : std::chrono::milliseconds(0);
  context.out.line(fmt::format("{}: {} in {}", job.name,
                               context.out.paint(colour_of(run.state), to_text(run.state)),
                               duration_text(duration)));
  print_errors(context, run);
  print_messages(context, report);
  if (job.kind != JobKind::web) return;
  std::string pages = fmt::format("{} done", run.pages.done);
  if (run.pages.failed > 0) pages += fmt::format(", {} failed", run.pages.failed);
  if (run.pages.skipped > 0) pages += fmt::format(", {} skipped", run.pages.skipped);
  const auto left = run.pages.total - run.pages.done - run.pages.failed - run.pages.skipped;
  if (left > 0) pages += fmt::format(", {} not begun", left);
  context.out.line(
      fmt::format("  pages  {} of {}, {}", pages, run.pages.total, size_text(run.bytes)));
  context.out.line(fmt::format("  items  {} seen, {} new", run.items.seen, run.items.fresh));
  if (run.items.fresh > 0)
    context.out.line(
        context.out.paint(Colour::grey, fmt::format("  see them: heddle records {}", job.id.text)));
}

void print_stages(CommandContext& context, const RunReport& report) {
  if (report.cycles == 0) return;
  std::chrono::microseconds sum{0};
  for (const StageCost& cost : report.costs) sum += cost.total;
  TextTable table({"STAGE", "TOTAL MS", "PER PAGE US", "SHARE"});
  for (const StageCost& cost : report.costs) {
    const double share =
        sum.count() > 0 ? static_cast<double>(cost.total.count()) / static_cast<double>(sum.count())
                        : 0;
    std::string bar;
    for (long i = 0; i < std::lround(share * kRunBarWidth); ++i) bar += "█";
    table.add({cost.name, fmt::format("{:.1f}", static_cast<double>(cost.total.count()) / 1e3),
               fmt::format("{}", cost.total.count() / report.cycles), bar});
  }
  table.print(context.err);
}

void print_json(CommandContext& context, const RunReport& report) {
  JsonWriter json;
  write_run(json, report.run);
  std::string text = json.take();
  text.pop_back();  // the closing brace: the costs are added inside
  JsonWriter costs;
  costs.begin_object();
  for (const StageCost& cost : report.costs) costs.field(cost.name, cost.total.count());
  costs.end_object();
  const store::OutboxCounts& messages = report.messages;
  context.out.line(
      fmt::format(R"({},"messages":{{"sent":{},"waiting":{},"dead":{}}},"stage_us":{}}})", text,
                  messages.sent, messages.waiting, messages.dead, costs.text()));
}

ProgressStyle progress_style(const CommandContext& context, const RunArguments& arguments) {
  if (arguments.every_page) return ProgressStyle::every_page;
  const bool is_unattended = context.json && !context.err.is_interactive();
  return is_unattended ? ProgressStyle::quiet : ProgressStyle::summary;
}

}  // namespace

ExitCode run_job(CommandContext& context, const RunArguments& arguments) {
  auto loaded = load(context);
  if (!loaded) return context.fail(loaded.error().message);
  const Job* job = find_job(context, *loaded, arguments.job);
  if (job == nullptr) return ExitCode::failed;
  if (!job->enabled)
    return context.fail(fmt::format(
        "job '{}' is disabled: set `enabled = true`, or look at it with `heddle debug {}`",
        job->name, job->id.text));

  ProgressPrinter progress(context.err, progress_style(context, arguments));
  OutputTail output(loaded->project.job_data_dir(*job) / "output.log", context.out, context.err);
  const bool has_programs = job->kind != JobKind::web || !job->hooks.empty();
  if (has_programs && !context.json)
    progress.on_run_started([&output](const Run& run) { output.follow(run.id); });
  auto report = context.backend.run_job(loaded->project, {*job}, progress);
  output.finish();
  if (!report) return context.fail(report.error().message);
  if (context.json)
    print_json(context, *report);
  else
    print_run(context, *job, *report);
  if (arguments.show_stages) print_stages(context, *report);
  const RunState state = report->run.state;
  if (state == RunState::limited)
    context.err.line("warning: a limit was reached, the rest of the pages was left out");
  const bool is_good = state == RunState::completed || state == RunState::limited;
  return is_good ? ExitCode::done : ExitCode::failed;
}

}  // namespace heddle::cli

#include <cmath>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/output_tail.hpp"
#include "cli/progress.hpp"
#include "cli/run_json.hpp"

namespace heddle::cli {

namespace {

constexpr std::size_t kShownErrors = 10;
constexpr int kBarWidth = 30;

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

void print_errors(Context& context, const Run& run) {
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

void print_messages(Context& context, const RunOutcome& outcome) {
  const store::OutboxCounts& messages = outcome.messages;
  if (messages.waiting > 0)
    context.out.line(fmt::format(
        "  {} message{} could not be sent yet and will be tried again with the next run:",
        messages.waiting, messages.waiting == 1 ? "" : "s"));
  for (const std::string& error : outcome.message_errors) context.out.line("    " + error);
}

void print_run(Context& context, const Job& job, const RunOutcome& outcome) {
  const Run& run = outcome.run;
  const auto duration =
      run.ended_at ? *run.ended_at - run.started_at : std::chrono::milliseconds(0);
  context.out.line(fmt::format("{}: {} in {}", job.name,
                               context.out.paint(colour_of(run.state), to_text(run.state)),
                               duration_text(duration)));
  print_errors(context, run);
  print_messages(context, outcome);
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

void print_stages(Context& context, const RunOutcome& outcome) {
  if (outcome.cycles == 0) return;
  std::chrono::microseconds sum{0};
  for (const StageCost& cost : outcome.costs) sum += cost.total;
  Table table({"STAGE", "TOTAL MS", "PER PAGE US", "SHARE"});
  for (const StageCost& cost : outcome.costs) {
    const double share =
        sum.count() > 0 ? static_cast<double>(cost.total.count()) / static_cast<double>(sum.count())
                        : 0;
    std::string bar;
    for (long i = 0; i < std::lround(share * kBarWidth); ++i) bar += "█";
    table.add({cost.name, fmt::format("{:.1f}", static_cast<double>(cost.total.count()) / 1e3),
               fmt::format("{}", cost.total.count() / outcome.cycles), bar});
  }
  table.print(context.err);
}

void print_json(Context& context, const RunOutcome& outcome) {
  JsonWriter json;
  write_run(json, outcome.run);
  std::string text = json.take();
  text.pop_back();  // the closing brace: what the run cost goes inside
  JsonWriter costs;
  costs.begin_object();
  for (const StageCost& cost : outcome.costs) costs.field(cost.name, cost.total.count());
  costs.end_object();
  const store::OutboxCounts& messages = outcome.messages;
  context.out.line(
      fmt::format(R"({},"messages":{{"sent":{},"waiting":{},"dead":{}}},"stage_us":{}}})", text,
                  messages.sent, messages.waiting, messages.dead, costs.text()));
}

ProgressStyle progress_style(const Context& context, const RunArguments& arguments) {
  if (arguments.every_page) return ProgressStyle::every_page;
  const bool nobody_looks = context.json && !context.err.is_interactive();
  return nobody_looks ? ProgressStyle::quiet : ProgressStyle::summary;
}

}  // namespace

ExitCode run_job(Context& context, const RunArguments& arguments) {
  auto loaded = load(context);
  if (!loaded) return context.fail(loaded.error().message);
  const Job* job = find_job(context, *loaded, arguments.job);
  if (job == nullptr) return ExitCode::failed;
  if (!job->enabled)
    return context.fail(fmt::format(
        "job '{}' is disabled: set `enabled = true`, or look at it with `heddle debug {}`",
        job->name, job->id.text));

  Progress progress(context.err, progress_style(context, arguments));
  OutputTail output(loaded->project.job_data_dir(*job) / "output.log", context.out, context.err);
  const bool has_programs = job->kind != JobKind::web || !job->hooks.empty();
  if (has_programs && !context.json)
    progress.on_begun([&output](const Run& run) { output.follow(run.id); });
  auto outcome = context.work.run_job(loaded->project, {*job}, progress);
  output.finish();
  if (!outcome) return context.fail(outcome.error().message);
  if (context.json)
    print_json(context, *outcome);
  else
    print_run(context, *job, *outcome);
  if (arguments.show_stages) print_stages(context, *outcome);
  const RunState state = outcome->run.state;
  if (state == RunState::limited)
    context.err.line("warning: a limit was reached, the rest of the pages was left out");
  const bool is_good = state == RunState::completed || state == RunState::limited;
  return is_good ? ExitCode::done : ExitCode::failed;
}

}  // namespace heddle::cli

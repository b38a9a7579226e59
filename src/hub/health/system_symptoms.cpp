#include "hub/health/system_symptoms.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/quantity.hpp"
#include "base/text.hpp"

namespace heddle::hub {

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::minutes kLongestWait{5};
constexpr std::int64_t kManyDeadLetters = 10;  // in an hour
constexpr std::size_t kFewestCrashes = 3;

struct DepthRule {
  std::int64_t pages;  // per worker process
  AlertLevel level;
  std::chrono::milliseconds lasting;
};
constexpr DepthRule kDepths[] = {{50, AlertLevel::warning, 5min},
                                 {200, AlertLevel::critical, 2min},
                                 {500, AlertLevel::emergency, 0min}};

struct LatencyRule {
  std::chrono::milliseconds late;
  AlertLevel level;
};
// Longer than the minute that LoopLatency remembers: a single late moment is no symptom.
constexpr std::chrono::minutes kLateFor{2};
constexpr LatencyRule kLatencies[] = {{250ms, AlertLevel::warning}, {2s, AlertLevel::critical}};

constexpr std::size_t kEnoughRuns = 5;
constexpr int kFarAbove = 3;  // times
constexpr std::chrono::minutes kLeastExcess{1};
constexpr std::int64_t kFewestFailures = 3;
constexpr double kLeastMoreErrors = 0.2;

using Symptoms = std::vector<Symptom>;

void add(Symptoms& out, std::string key, AlertLevel level, std::string text) {
  out.push_back({std::move(key), level, {}, std::move(text)});
}

void add_workers(const SystemFacts& facts, const SymptomRules& rules, Symptoms& out) {
  const std::size_t often = std::max(kFewestCrashes, rules.max_restarts / 4);
  std::vector<std::string> crashing;
  std::vector<std::string> given_up;
  for (const WorkerFacts& worker : facts.workers) {
    if (worker.gave_up)
      given_up.push_back(worker.name);
    else if (worker.restarts >= often)
      crashing.push_back(fmt::format("{} ({})", worker.name, counted(worker.restarts, "time")));
  }
  if (!crashing.empty())
    add(out, alert_key(AlertKind::worker_crashes), AlertLevel::warning,
        fmt::format("workers die repeatedly: {}", fmt::join(crashing, ", ")));
  if (given_up.empty()) return;
  const bool has_no_worker_left = given_up.size() == facts.workers.size();
  const bool is_one = given_up.size() == 1;
  add(out, alert_key(AlertKind::worker_gave_up),
      has_no_worker_left ? AlertLevel::emergency : AlertLevel::critical,
      fmt::format("{}{} died too often or could not be started and {} not restarted; `heddle "
                  "workers restart N` starts {}",
                  has_no_worker_left ? "no worker is left: " : "", fmt::join(given_up, ", "),
                  is_one ? "is" : "are", is_one ? "it" : "one"));
}

void add_queue(const SystemFacts& facts, const SymptomRules& rules, Symptoms& out) {
  std::int64_t pages = 0;
  const std::chrono::milliseconds of_run = facts.longest_wait.value_or(0ms);
  std::chrono::milliseconds of_page = 0ms;
  for (const ActiveRunFacts& run : facts.runs) {
    pages += run.open_tasks;
    if (run.has_pending) of_page = std::max(of_page, run.idle);
  }
  if (std::max(of_run, of_page) > kLongestWait)
    add(out, alert_key(AlertKind::queue_age), AlertLevel::warning,
        of_run > of_page
            ? fmt::format("a run has waited for {} for a free run slot (limits.runs_in_parallel)",
                          to_short_text(of_run))
            : fmt::format("pages have waited for {} without a worker processing them",
                          to_short_text(of_page)));
  const auto processes = static_cast<std::int64_t>(std::max<std::size_t>(rules.processes, 1));
  for (const DepthRule& rule : kDepths)
    if (pages >= rule.pages * processes)
      out.push_back(
          {alert_key(AlertKind::queue_depth), rule.level, rule.lasting,
           fmt::format("{} waiting for {}", counted(pages, "page"), counted(processes, "worker"))});
}

void add_stuck_runs(const SystemFacts& facts, const SymptomRules& rules, Symptoms& out) {
  for (const ActiveRunFacts& run : facts.runs) {
    if (run.idle < rules.stuck_after || run.waits_for_retry || run.open_tasks == 0) continue;
    add(out, alert_key(AlertKind::run_stuck, run.job.text), AlertLevel::warning,
        fmt::format("job '{}': its run makes no progress, {} left", run.job.text,
                    counted(run.open_tasks, "page")));
  }
}

void add_latency(const SystemFacts& facts, Symptoms& out) {
  for (const LatencyRule& rule : kLatencies)
    if (facts.loop_latency >= rule.late)
      out.push_back(
          {alert_key(AlertKind::loop_latency), rule.level, kLateFor,
           fmt::format("the daemon's event loop is up to {} ms late", facts.loop_latency / 1ms)});
}

}  // namespace

std::vector<Symptom> find_symptoms(const SystemFacts& facts, const SymptomRules& rules) {
  Symptoms out;
  add_workers(facts, rules, out);
  add_queue(facts, rules, out);
  add_stuck_runs(facts, rules, out);
  add_latency(facts, out);
  if (facts.new_dead_letters >= kManyDeadLetters)
    add(out, alert_key(AlertKind::dead_letters), AlertLevel::warning,
        fmt::format("{} failed for good within an hour (`heddle dead list`)",
                    counted(facts.new_dead_letters, "page or message", "pages and messages")));
  return out;
}

std::optional<std::chrono::milliseconds> unusual_duration(const std::vector<RunFigures>& history) {
  std::vector<RunFigures> whole;  // runs that were ended early do not count
  for (const RunFigures& run : history)
    if (run.state == RunState::completed || run.state == RunState::limited) whole.push_back(run);
  if (whole.size() < kEnoughRuns) return std::nullopt;
  const auto usual = stats_of(whole).p95;
  return std::max<std::chrono::milliseconds>(usual * kFarAbove, usual + kLeastExcess);
}

std::optional<std::string> unusual_errors(const RunFigures& run,
                                          const std::vector<RunFigures>& history) {
  if (history.size() < kEnoughRuns || run.failed < kFewestFailures) return std::nullopt;
  const double usual = stats_of(history).error_rate();
  const double rate = static_cast<double>(run.failed) / static_cast<double>(run.pages());
  if (rate < std::max(usual * kFarAbove, usual + kLeastMoreErrors)) return std::nullopt;
  return fmt::format("{} of {} pages failed, usually {:.0f} %", run.failed, run.pages(),
                     usual * 100);
}

}  // namespace heddle::hub

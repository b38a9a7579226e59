#include "hub/health/system_monitor.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"

namespace heddle::hub {

namespace {

constexpr std::chrono::seconds kSymptomInterval{10};
constexpr std::chrono::hours kDeadLetterWindow{1};
constexpr std::size_t kHistory = 20;                 // runs
constexpr std::chrono::minutes kMinSlowDuration{1};  // shorter runs are never slow
constexpr std::size_t kMaxEnded = 1000;              // waiting to be compared
// Compared per run, not per check: these stay until a later run of the job clears them.
constexpr AlertKind kComparedKinds[] = {AlertKind::run_slow, AlertKind::run_errors};

bool is_compared(std::string_view key) {
  return std::any_of(std::begin(kComparedKinds), std::end(kComparedKinds),
                     [key](AlertKind kind) { return is_of_kind(key, kind); });
}

bool ran_to_its_end(RunState state) {
  return state == RunState::completed || state == RunState::limited || state == RunState::failed;
}

}  // namespace

Async<void> SystemMonitor::watch() {
  while (!stopped_.is_closed()) {
    const auto checked = co_await check();
    if (!checked) parts_.log.warn("alerts: " + checked.error().message);
    co_await stopped_.wait(std::chrono::steady_clock::now() + kSymptomInterval);
  }
}

void SystemMonitor::note_run_end(const Run& run) {
  if (!ran_to_its_end(run.state) || ended_.size() >= kMaxEnded) return;
  const auto track = tracks_.find(run.id);
  const bool was_slow = track != tracks_.end() && track->second.is_slow;
  ended_.push_back({run.job, figures_of(run), was_slow});
}

void SystemMonitor::note_storage(std::optional<AlertLevel> level, std::string text) {
  knows_storage_ = true;
  storage_.reset();
  if (level) storage_ = Symptom{alert_key(AlertKind::storage), *level, {}, std::move(text)};
  stopped_.notify();  // checked at once
}

Async<Status> SystemMonitor::check() {
  const WallTime now = parts_.clock.now();
  auto load = co_await parts_.store.system_load(now - kDeadLetterWindow);
  if (!load) co_return std::move(load).error();
  load_ = std::move(*load);
  const MachineFacts machine = parts_.machine_facts();
  track_runs(machine);
  const SystemFacts facts = facts_of(machine, now);
  auto evaluated = co_await evaluate(facts, now);
  if (!evaluated) co_return evaluated;
  auto forgotten = co_await forget_jobs(now);
  if (!forgotten) co_return forgotten;
  auto running = co_await compare_running(now);
  if (!running) co_return running;
  co_return co_await compare_ended(now);
}

void SystemMonitor::track_runs(const MachineFacts& machine) {
  const Deadline now = parts_.clock.steady_now();
  std::map<RunId, std::uint64_t> steps;
  for (const RunProgress& run : machine.runs) steps[run.run] = run.steps;
  std::map<RunId, TrackedRun> tracked;
  for (const store::RunLoad& run : load_.runs) {
    const auto known = tracks_.find(run.run);
    const bool is_new = known == tracks_.end();
    TrackedRun track = is_new ? TrackedRun{} : known->second;
    if (is_new) track.first_seen = now;
    if (is_new || track.steps != steps[run.run]) track.last_progress = now;
    track.steps = steps[run.run];
    tracked.emplace(run.run, track);
  }
  tracks_ = std::move(tracked);
}

std::chrono::milliseconds SystemMonitor::elapsed_since(Deadline time) const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(parts_.clock.steady_now() - time);
}

SystemFacts SystemMonitor::facts_of(const MachineFacts& machine, WallTime now) const {
  SystemFacts facts;
  facts.workers = machine.workers;
  facts.loop_latency = machine.loop_latency;
  facts.new_dead_letters = load_.new_dead_letters;
  if (machine.queued.since) facts.longest_wait = now - *machine.queued.since;
  for (const store::RunLoad& run : load_.runs) {
    ActiveRunFacts& each = facts.runs.emplace_back();
    each.job = run.job;
    each.idle = elapsed_since(tracks_.at(run.run).last_progress);
    each.open_tasks = run.open_tasks;
    each.has_pending = run.has_pending;
    each.waits_for_retry = !run.has_pending && run.next_retry && *run.next_retry > now;
  }
  return facts;
}

std::set<std::string> SystemMonitor::evaluated_keys() const {
  std::set<std::string> keys;
  for (const auto& [key, alert] : alerts_.raised()) {
    const bool is_unknown = is_of_kind(key, AlertKind::storage) && !knows_storage_;
    if (!is_compared(key) && !is_unknown) keys.insert(key);
  }
  return keys;
}

Async<Status> SystemMonitor::evaluate(const SystemFacts& facts, WallTime now) {
  // No quiet time: a level of storage ends some way below the line that leads to it.
  if (knows_storage_ && !storage_) {
    auto over = co_await alerts_.clear(alert_key(AlertKind::storage), now);
    if (!over) co_return over;
  }
  std::vector<Symptom> symptoms = find_symptoms(facts, rules_);
  if (storage_) symptoms.push_back(*storage_);
  const AlertDecisions decisions =
      evaluator_.evaluate(symptoms, evaluated_keys(), parts_.clock.steady_now());
  for (const Symptom& symptom : decisions.raised) {
    SystemAlert alert{symptom.key, symptom.level, symptom.text, now};
    auto raised = co_await alerts_.raise(std::move(alert));
    if (!raised) co_return raised;
  }
  for (const std::string& key : decisions.cleared) {
    auto over = co_await alerts_.clear(key, now);
    if (!over) co_return over;
  }
  co_return Done{};
}

// No later run will clear the alerts of these jobs.
Async<Status> SystemMonitor::forget_jobs(WallTime now) {
  std::vector<std::string> over;
  for (const auto& [key, alert] : alerts_.raised())
    if (is_compared(key) && !parts_.may_run(JobId{std::string(alert_subject(key))}))
      over.push_back(key);
  for (std::string& key : over) {
    auto ended = co_await alerts_.clear(std::move(key), now);
    if (!ended) co_return ended;
  }
  std::erase_if(ended_, [this](const EndedRun& ended) { return !parts_.may_run(ended.job); });
  co_return Done{};
}

Async<Status> SystemMonitor::compare_running(WallTime now) {
  for (const store::RunLoad& run : load_.runs) {
    TrackedRun& track = tracks_.at(run.run);
    const auto time = elapsed_since(track.first_seen);
    if (time < kMinSlowDuration || track.is_slow || !parts_.may_run(run.job)) continue;
    if (!track.is_compared) {
      const auto history = co_await parts_.store.recent_runs(run.job, kHistory);
      if (!history) co_return history.error();
      track.longest = unusual_duration(*history);
      track.is_compared = true;
    }
    if (!track.longest || time < *track.longest) continue;
    SystemAlert alert{alert_key(AlertKind::run_slow, run.job.text), AlertLevel::warning,
                      fmt::format("job '{}': its run has taken {} so far, much longer than usual",
                                  run.job.text, to_short_text(time)),
                      now};
    auto raised = co_await alerts_.raise(std::move(alert));
    if (!raised) co_return raised;
    track.is_slow = true;
  }
  co_return Done{};
}

Async<Status> SystemMonitor::compare_ended(WallTime now) {
  while (!ended_.empty()) {
    auto compared = co_await compare(ended_.front(), now);
    if (!compared) co_return compared;  // retried at the next check
    ended_.pop_front();
  }
  co_return Done{};
}

Async<Status> SystemMonitor::compare(EndedRun ended, WallTime now) {
  if (!ended.was_slow) {
    auto over = co_await alerts_.clear(alert_key(AlertKind::run_slow, ended.job.text), now);
    if (!over) co_return over;
  }
  std::string key = alert_key(AlertKind::run_errors, ended.job.text);
  std::optional<std::string> unusual;
  if (ended.figures.failed > 0) {
    auto history = co_await parts_.store.recent_runs(ended.job, kHistory);
    if (!history) co_return std::move(history).error();
    std::erase(*history, ended.figures);  // the store has this run already
    unusual = unusual_errors(ended.figures, *history);
  }
  if (!unusual) co_return co_await alerts_.clear(std::move(key), now);
  SystemAlert alert{std::move(key), AlertLevel::warning,
                    fmt::format("job '{}': {}", ended.job.text, *unusual), now};
  co_return co_await alerts_.raise(std::move(alert));
}

}  // namespace heddle::hub

#include "hub/system_watch.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"

namespace heddle::hub {

namespace {

constexpr std::chrono::seconds kBetweenLooks{10};
constexpr std::chrono::hours kLettersOf{1};
constexpr std::size_t kHistory = 20;               // runs
constexpr std::chrono::minutes kNotWorthALook{1};  // nothing this short is slow
constexpr std::size_t kMostEnded = 1000;           // waiting to be compared
// Compared run by run, not look by look: these stay until a run of the job says otherwise.
constexpr AlertKind kComparedKinds[] = {AlertKind::run_slow, AlertKind::run_errors};

bool is_compared(std::string_view key) {
  return std::any_of(std::begin(kComparedKinds), std::end(kComparedKinds),
                     [key](AlertKind kind) { return is_of_kind(key, kind); });
}

bool is_whole(RunState state) {
  return state == RunState::completed || state == RunState::limited || state == RunState::failed;
}

}  // namespace

SystemWatch::SystemWatch(WatchParts parts, AlertBook& book, SymptomRules rules)
    : parts_(std::move(parts)), book_(book), rules_(rules) {}

void SystemWatch::stop() {
  is_stopped_ = true;
  wake_.ring();
}

Async<void> SystemWatch::watch() {
  while (!is_stopped_) {
    const auto looked = co_await look();
    if (!looked) parts_.log.warn("alerts: " + looked.error().message);
    if (is_stopped_) co_return;
    co_await wake_.wait(std::chrono::steady_clock::now() + kBetweenLooks);
  }
}

void SystemWatch::note_run_end(const Run& run) {
  Ended ended;
  ended.job = run.job;
  ended.figures = figures_of(run);
  if (const auto track = tracks_.find(run.id); track != tracks_.end())
    ended.was_slow = track->second.is_slow;
  if (is_whole(run.state) && ended_.size() < kMostEnded) ended_.push_back(std::move(ended));
}

void SystemWatch::note_storage(std::optional<AlertLevel> level, std::string text) {
  knows_storage_ = true;
  storage_.reset();
  if (!level) return;
  storage_ = Symptom{alert_key(AlertKind::storage), *level, {}, std::move(text)};
}

Async<Status> SystemWatch::look() {
  const WallTime now = parts_.clock.now();
  auto load = co_await parts_.store.system_load(now - kLettersOf);
  if (!load) co_return std::move(load).error();
  load_ = std::move(*load);
  const MachineFacts machine = parts_.ask_machine();
  follow_runs(machine, now);
  const SystemFacts facts = facts_of(machine, now);
  auto judged = co_await judge(facts, now);
  if (!judged) co_return judged;
  auto forgotten = co_await forget_jobs(now);
  if (!forgotten) co_return forgotten;
  auto running = co_await compare_running(now);
  if (!running) co_return running;
  co_return co_await compare_ended(now);
}

void SystemWatch::follow_runs(const MachineFacts& machine, WallTime now) {
  std::map<RunId, std::uint64_t> steps;
  for (const RunProgress& run : machine.runs) steps[run.run] = run.steps;
  std::map<RunId, Track> followed;
  for (const store::RunLoad& run : load_.runs) {
    const auto known = tracks_.find(run.run);
    const bool is_new = known == tracks_.end();
    Track track = is_new ? Track{} : known->second;
    if (is_new) track.first_seen = now;
    if (is_new || track.steps != steps[run.run]) track.moved = now;
    track.steps = steps[run.run];
    followed.emplace(run.run, track);
  }
  tracks_ = std::move(followed);
}

SystemFacts SystemWatch::facts_of(const MachineFacts& machine, WallTime now) const {
  SystemFacts facts;
  facts.workers = machine.workers;
  facts.loop_latency = machine.loop_latency;
  facts.new_dead_letters = load_.new_dead_letters;
  if (machine.waiting.since) facts.longest_wait = now - *machine.waiting.since;
  for (const store::RunLoad& run : load_.runs) {
    RunFacts& each = facts.runs.emplace_back();
    each.job = run.job;
    each.idle = now - tracks_.at(run.run).moved;
    each.open_tasks = run.open_tasks;
    each.has_pending = run.has_pending;
    each.waits_for_retry = !run.has_pending && run.next_retry && *run.next_retry > now;
  }
  return facts;
}

std::set<std::string> SystemWatch::judged_keys() const {
  std::set<std::string> keys;
  for (const auto& [key, alert] : book_.raised()) {
    const bool is_unknown = is_of_kind(key, AlertKind::storage) && !knows_storage_;
    if (!is_compared(key) && !is_unknown) keys.insert(key);
  }
  return keys;
}

Async<Status> SystemWatch::judge(const SystemFacts& facts, WallTime now) {
  std::vector<Symptom> symptoms = find_symptoms(facts, rules_);
  if (storage_) symptoms.push_back(*storage_);
  const AlertVerdicts verdicts = judge_.look(symptoms, judged_keys(), now);
  for (const Symptom& symptom : verdicts.raised) {
    SystemAlert alert{symptom.key, symptom.level, symptom.text, now};
    auto raised = co_await book_.raise(std::move(alert));
    if (!raised) co_return raised;
  }
  for (const std::string& key : verdicts.over) {
    std::string calm = key;
    auto over = co_await book_.over(std::move(calm), now);
    if (!over) co_return over;
  }
  co_return Done{};
}

// No run of theirs will say that the trouble is over.
Async<Status> SystemWatch::forget_jobs(WallTime now) {
  std::vector<std::string> over;
  for (const auto& [key, alert] : book_.raised())
    if (is_compared(key) && !parts_.may_run(JobId{std::string(alert_subject(key))}))
      over.push_back(key);
  for (std::string& key : over) {
    auto ended = co_await book_.over(std::move(key), now);
    if (!ended) co_return ended;
  }
  std::erase_if(ended_, [this](const Ended& ended) { return !parts_.may_run(ended.job); });
  co_return Done{};
}

Async<Status> SystemWatch::compare_running(WallTime now) {
  for (const store::RunLoad& run : load_.runs) {
    Track& track = tracks_.at(run.run);
    const auto time = now - track.first_seen;
    if (time < kNotWorthALook || track.is_slow || !parts_.may_run(run.job)) continue;
    if (!track.is_compared) {
      JobId job = run.job;
      const auto history = co_await parts_.store.recent_runs(std::move(job), kHistory);
      if (!history) co_return history.error();
      track.longest = unusual_duration(*history);
      track.is_compared = true;
    }
    if (!track.longest || time < *track.longest) continue;
    SystemAlert alert{alert_key(AlertKind::run_slow, run.job.text), AlertLevel::warning,
                      fmt::format("job '{}': its run takes {} already, far longer than usual",
                                  run.job.text, to_short_text(time)),
                      now};
    auto raised = co_await book_.raise(std::move(alert));
    if (!raised) co_return raised;
    track.is_slow = true;
  }
  co_return Done{};
}

Async<Status> SystemWatch::compare_ended(WallTime now) {
  while (!ended_.empty()) {
    Ended ended = ended_.front();
    auto compared = co_await compare(std::move(ended), now);
    if (!compared) co_return compared;  // and again at the next look
    ended_.pop_front();
  }
  co_return Done{};
}

Async<Status> SystemWatch::compare(Ended ended, WallTime now) {
  if (!ended.was_slow) {
    std::string slow = alert_key(AlertKind::run_slow, ended.job.text);
    auto over = co_await book_.over(std::move(slow), now);
    if (!over) co_return over;
  }
  std::string key = alert_key(AlertKind::run_errors, ended.job.text);
  std::optional<std::string> unusual;
  if (ended.figures.failed > 0) {
    JobId job = ended.job;
    auto history = co_await parts_.store.recent_runs(std::move(job), kHistory);
    if (!history) co_return std::move(history).error();
    std::erase(*history, ended.figures);  // it is stored already
    unusual = unusual_errors(ended.figures, *history);
  }
  if (!unusual) co_return co_await book_.over(std::move(key), now);
  SystemAlert alert{std::move(key), AlertLevel::warning,
                    fmt::format("job '{}': {}", ended.job.text, *unusual), now};
  co_return co_await book_.raise(std::move(alert));
}

}  // namespace heddle::hub

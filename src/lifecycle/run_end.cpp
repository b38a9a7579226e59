#include "lifecycle/run_end.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "model/json.hpp"
#include "model/notify/envelope.hpp"
#include "model/run/run_problems.hpp"

namespace heddle::lifecycle {

namespace {

// A run whose pages all failed has failed, at any allowed rate.
bool too_many_failed(const RunEndFacts& facts) {
  const PageCounts& pages = facts.pages;
  if (pages.failed == 0) return false;
  const auto ended = pages.done + pages.failed + pages.skipped;
  if (pages.failed == ended) return true;
  return static_cast<double>(pages.failed) > facts.max_error_rate * static_cast<double>(ended);
}

// The check state that a problem of pages leads to; nullopt: none, or the problem is no reason.
std::optional<CheckState> state_for(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::script:
      return CheckState::failing;
    case ErrorKind::login_required:
      return CheckState::login_required;
    case ErrorKind::bot_wall:
      return CheckState::blocked;
    case ErrorKind::error_page:
      return CheckState::failing;
    case ErrorKind::no_items:
    case ErrorKind::not_html:
    case ErrorKind::app_shell:
      return CheckState::selector_broken;
    default:
      return std::nullopt;
  }
}

// The state that most of the problems lead to, `otherwise` where one leads to none; nullopt: none.
std::optional<CheckState> commonest_state(const std::vector<RunError>& problems,
                                          std::optional<CheckState> otherwise = std::nullopt) {
  std::map<CheckState, int> counts;
  std::optional<CheckState> commonest;
  for (const RunError& problem : problems) {
    const auto known = state_for(problem.kind);
    const auto state = known ? known : otherwise;
    if (!state) continue;
    ++counts[*state];
    if (!commonest || counts[*state] > counts[*commonest]) commonest = state;
  }
  return commonest;
}

// Whether the selector or a field matches on no page of the run. An empty list and an empty feed
// look the same, so that one page with everything is enough.
bool matches_nowhere(const Job& job, const Run& run) {
  const auto kept = static_cast<std::int64_t>(kKeptRunErrors);
  const auto ended = run.pages.done + run.pages.failed;
  const bool may_be_empty = job.expect.min_items == 0 || job.watch == WatchKind::feed;
  const auto unmatched = std::ranges::count_if(run.errors, [&](const RunError& error) {
    return error.kind == ErrorKind::empty_field ||
           (error.kind == ErrorKind::nothing_found && !may_be_empty);
  });
  if (unmatched == 0 || unmatched < std::min(ended, kept)) return false;
  return ended <= kept || run.items.seen == 0;  // the other pages of a long run
}

// Of a run that has completed: when more of its pages are suspicious than may fail, or no page has
// what the job looks for.
std::optional<CheckState> suspicion(const Job& job, const Run& run) {
  if (matches_nowhere(job, run)) return CheckState::selector_broken;
  const double max_error_rate = job.max_error_rate;
  const auto ended = run.pages.done + run.pages.failed;
  const std::int64_t problems = run.suspicious_pages;
  const bool are_many = problems >= ended ||
                        static_cast<double>(problems) > max_error_rate * static_cast<double>(ended);
  if (problems == 0 || !are_many) return std::nullopt;
  return commonest_state(run.errors);
}

// Of a run that has failed.
CheckState state_of_failure(const Run& run) {
  const auto failures = problems_of(run).failures;
  return commonest_state(failures, CheckState::failing).value_or(CheckState::failing);
}

CheckState check_after(const Job& job, const Run& run, const JobStatus& status) {
  const bool is_lasting = status.failed_runs >= job.alert_after;
  switch (run.state) {
    case RunState::completed:
      if (const auto suspected = suspicion(job, run)) return is_lasting ? *suspected : status.check;
      return warning_of(problems_of(run)) != nullptr ? CheckState::warning : CheckState::ok;
    case RunState::limited:
      return CheckState::limited;
    case RunState::failed:
      // Nothing better is known of a job that has never succeeded.
      return is_lasting || status.check == CheckState::pending ? state_of_failure(run)
                                                               : status.check;
    default:
      return status.check;  // cancelled or stopped: no information about the pages
  }
}

// Why the job has this check state; nullptr: no error of the run says so.
const RunError* reason_for(CheckState check, const Run& run) {
  for (const RunError& error : run.errors) {
    const bool is_reason = check == CheckState::warning ? error.kind == ErrorKind::expectation
                                                        : state_for(error.kind) == check;
    if (is_reason) return &error;
  }
  return run.errors.empty() ? nullptr : &run.errors.front();
}

std::string summary_of(const Job& job, const RunError* reason, const JobStatus& status) {
  if (status.check == CheckState::ok) return job.name + ": ok again";
  std::string text = fmt::format("{}: {}", job.name, to_text(status.check));
  if (status.failed_runs > 1) text += fmt::format(", {} runs in a row", status.failed_runs);
  if (reason != nullptr) text += ": " + reason->message;
  return text;
}

Delivery message_to(DeliveryKind kind, const Run& run, WallTime now) {
  Delivery message;
  message.id = DeliveryId{make_unique_id(now)};
  message.job = run.job;
  message.run = run.id;
  message.kind = kind;
  message.created_at = message.due_at = now;
  return message;
}

Delivery webhook_alert(const Job& job, const Run& run, const JobEvent& event,
                       const std::string& summary) {
  Delivery message = message_to(DeliveryKind::webhook, run, event.at);
  Envelope envelope;
  envelope.id = message.id;
  envelope.event = event.kind;
  envelope.time = event.at;
  envelope.job = job.id;
  envelope.job_name = job.name;
  envelope.run = run.id;
  envelope.url = run.errors.empty() ? "" : run.errors.front().url;
  envelope.severity = event.kind == "check.ok" ? "info" : "warning";
  envelope.summary = summary;
  message.payload = webhook_body(envelope);
  return message;
}

// Without the job's templates, which are for items.
Delivery desktop_alert(const Job& job, const Run& run, const JobEvent& event,
                       const std::string& summary) {
  Delivery message = message_to(DeliveryKind::desktop, run, event.at);
  JsonWriter json;
  json.begin_object().field("title", job.name).field("body", summary);
  json.field("timeout_ms", job.notification.timeout.count()).end_object();
  message.payload = json.text();
  return message;
}

// States that a failed run leads to.
bool is_of_failure(CheckState check) {
  return check == CheckState::failing || check == CheckState::blocked ||
         check == CheckState::login_required;
}

// A job whose first run failed is in a state of failure at once, but that is told only when it
// lasts.
bool is_told(const Job& job, CheckState before, int failed_before, const JobStatus& status) {
  const bool was_told = failed_before >= job.alert_after;
  const bool is_lasting = status.failed_runs >= job.alert_after;
  if (is_of_failure(status.check) && status.check == before) return !was_told && is_lasting;
  if (status.check == before) return false;
  if (is_of_failure(status.check)) return is_lasting;
  if (status.check == CheckState::ok)
    return before != CheckState::pending && (!is_of_failure(before) || was_told);
  return true;
}

void tell_check_state(const Job& job, const Run& run, CheckState before, WallTime now,
                      JobChange& change) {
  JobEvent event;
  event.kind = "check." + std::string(to_text(change.now.check));
  event.at = now;
  event.run = run.id;
  event.data = {{"from", std::string(to_text(before))}};
  const RunError* reason = reason_for(change.now.check, run);
  if (reason != nullptr) event.data.emplace_back("error", reason->message);
  const std::string summary = summary_of(job, reason, change.now);
  if (job.webhook.enabled) change.deliveries.push_back(webhook_alert(job, run, event, summary));
  if (job.notification.enabled)
    change.deliveries.push_back(desktop_alert(job, run, event, summary));
  change.events.push_back(std::move(event));
}

}  // namespace

RunState run_end_state(const RunEndFacts& facts) {
  if (facts.engine_failed) return RunState::failed;
  if (facts.was_stopped) return RunState::stopped;
  if (facts.was_cancelled) return RunState::cancelled;
  if (too_many_failed(facts)) return RunState::failed;
  return facts.reached_limit ? RunState::limited : RunState::completed;
}

void note_service_ready(const Job& job, const Run& run, WallTime now, JobChange& change) {
  JobStatus& status = change.now;
  const CheckState before = status.check;
  if (status.run != run.id || before == CheckState::ok) return;
  status.check = CheckState::ok;
  if (is_told(job, before, status.failed_runs, status))
    tell_check_state(job, run, before, now, change);
}

void note_run_end(const Job& job, const Run& run, bool is_quarantined, JobChange& change) {
  JobStatus& status = change.now;
  const CheckState before = status.check;
  const int failed_before = status.failed_runs;
  const bool is_suspect = run.state == RunState::completed && suspicion(job, run).has_value();
  if (run.state == RunState::failed || is_suspect)
    ++status.failed_runs;
  else if (run.state == RunState::completed || run.state == RunState::limited)
    status.failed_runs = 0;
  status.check = is_quarantined ? CheckState::quarantined : check_after(job, run, status);
  // The time of the events of the transition: lists are sorted by time.
  if (is_told(job, before, failed_before, status))
    tell_check_state(job, run, before, status.since, change);
}

}  // namespace heddle::lifecycle

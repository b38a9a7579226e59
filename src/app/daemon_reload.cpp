// DaemonService: how changed files are taken up.
#include <algorithm>
#include <set>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <fmt/format.h>

#include "app/daemon_service.hpp"
#include "base/rethrow_bug.hpp"

namespace heddle::app {

namespace asio = boost::asio;
using config::SettingChange;
using config::TakenUpBy;

namespace {

constexpr const char* kNothingTakenUp = "the files are not taken up, all stays as it was";
constexpr const char* kTakenUpInPart =
    "the files are taken up, but not all of it could be written; `heddle reload` tries again";
constexpr const char* kReloadNote = "reload.at";

bool has_any(const std::vector<SettingChange>& changes, TakenUpBy by) {
  return std::any_of(changes.begin(), changes.end(),
                     [by](const SettingChange& change) { return change.by == by; });
}

}  // namespace

void DaemonService::watch_or_not() {
  const bool is_wanted = project_.reload == ReloadRule::watch;
  if (is_wanted == (watch_ != nullptr)) return;
  if (!is_wanted) return std::exchange(watch_, nullptr)->close();
  auto opened =
      hub::FileWatch::open(loop_.get_executor(), project_.root, {.left_out = {project_.data_dir}});
  if (!opened)
    return log_.warn(opened.error().message + "; changed files are taken up by `heddle reload`");
  watch_ = std::move(*opened);
  asio::co_spawn(loop_, watch_files(watch_), rethrow_bug);
}

Async<void> DaemonService::watch_files(std::shared_ptr<hub::FileWatch> watch) {
  while (true) {
    const bool is_open = co_await watch->changed();
    if (!is_open) co_return;
    co_await reload_and_report();
  }
}

void DaemonService::reload_soon() {
  asio::co_spawn(loop_, reload_and_report(), rethrow_bug);
}

Async<void> DaemonService::reload_and_report() {
  const auto report = co_await reload(false);
  if (!report) co_return log_.error(report.error().message);
  for (const std::string& job : report->added) log_.info("job '" + job + "' is new");
  for (const std::string& job : report->changed) log_.info("job '" + job + "' has changed");
  for (const std::string& job : report->broken)
    log_.error(job + " (the job keeps its former version)");
}

Async<Result<ipc::ReloadReport>> DaemonService::reload(bool is_trial) {
  while (is_reloading_) co_await reloaded_.wait();
  if (is_leaving_) co_return Error{ErrorCode::unavailable, "the daemon is leaving"};
  is_reloading_ = true;
  auto read = co_await source_.read();
  Result<ipc::ReloadReport> answer = ipc::ReloadReport{};
  if (read) {
    answer = compare(*read);
    if (!is_trial) {
      auto taken_up = co_await take_up(std::move(*read));
      if (!taken_up) answer = std::move(taken_up).error();
    }
  } else {
    answer = std::move(read).error().during(kNothingTakenUp);
  }
  is_reloading_ = false;
  reloaded_.ring();
  co_return answer;
}

ipc::ReloadReport DaemonService::compare(const ReadProject& read) const {
  ipc::ReloadReport report;
  std::set<std::string> there;
  for (const BrokenJob& job : read.broken) {
    const Job* former = former_version(job);
    if (former != nullptr) there.insert(former->id.text);
    report.broken.push_back(job.mistake);
  }
  for (const SettingChange& change : read.changes)
    report.settings.push_back(
        {change.key, change.before, change.after, change.by == TakenUpBy::next_daemon});
  for (const Job& job : read.project.jobs) {
    there.insert(job.id.text);
    const Job* known = driver_.find_job(job.id);
    if (known == nullptr)
      report.added.push_back(job.id.text);
    else if (known->revision != job.revision)
      report.changed.push_back(job.id.text);
  }
  for (const Job& job : project_.jobs)
    if (!there.contains(job.id.text)) report.removed.push_back(job.id.text);
  return report;
}

// A file may be so broken that not even the job's name can be read: then its place tells.
const Job* DaemonService::former_version(const BrokenJob& broken) const {
  if (const Job* former = driver_.find_job(broken.id)) return former;
  if (broken.directory.empty()) return nullptr;
  const auto found =
      std::find_if(project_.jobs.begin(), project_.jobs.end(),
                   [&broken](const Job& job) { return job.directory == broken.directory; });
  return found == project_.jobs.end() ? nullptr : &*found;
}

// All at once; a job whose file is broken keeps its former version.
Async<Status> DaemonService::take_up(ReadProject read) {
  std::vector<Job> jobs = std::move(read.project.jobs);
  std::set<JobId> mistaken;
  for (const BrokenJob& broken : read.broken) {
    const Job* former = former_version(broken);
    if (former == nullptr) continue;
    mistaken.insert(former->id);
    jobs.push_back(*former);
  }
  auto writable = co_await note_reload();
  if (!writable) co_return std::move(writable).error().during(kNothingTakenUp);
  // Before the jobs: runs of theirs begin in workers that know the settings they were read with.
  auto taken_up = take_up_settings(read);
  if (!taken_up) co_return std::move(taken_up).error().during(kNothingTakenUp);
  project_.jobs = jobs;
  auto adopted = co_await driver_.adopt(std::move(jobs), std::move(mistaken));
  if (!adopted) co_return std::move(adopted).error().during(kTakenUpInPart);
  co_return adopted;
}

// Jobs that are new or have changed are written down one by one, after the settings count: whether
// anything can be written is found out before.
Async<Status> DaemonService::note_reload() {
  const WallTime now = coordinator_->clock().now();
  store::Note note;
  note.name = kReloadNote;
  note.value = to_iso8601(now);
  co_return co_await coordinator_->history().put_note(std::move(note), now);
}

// Workers get a new text, and are replaced when it says something new to them; pages in flight
// finish where they are.
Status DaemonService::take_up_settings(ReadProject& read) {
  Project next = std::move(read.project);
  next.data_dir = project_.data_dir;
  const bool renews_workers = has_any(read.changes, TakenUpBy::workers);
  if (renews_workers || has_any(read.changes, TakenUpBy::coordinator)) {
    auto taken_up = coordinator_->take_up(next, processes_(next), renews_workers);
    if (!taken_up) return taken_up;
    source_.set_in_force(next.settings_text, std::move(read.settings));
  }
  next.jobs = std::move(project_.jobs);
  project_ = std::move(next);
  driver_.set_rules(driver_rules(project_));
  alerts_.set_receivers({project_.alerts.to, project_.channels});
  system_.set_rules(symptom_rules(project_, *coordinator_));
  housekeeper_.set_rules(project_.retention);
  storage_.set_rule(project_.storage);
  on_settings_(project_);
  tell_settings(read.changes);
  watch_or_not();
  return Done{};
}

void DaemonService::tell_settings(const std::vector<SettingChange>& changes) {
  std::vector<SettingChange> for_later;
  for (const SettingChange& change : changes) {
    if (change.by == TakenUpBy::next_daemon)
      for_later.push_back(change);
    else
      log_.info(fmt::format("heddle.toml: {}: {} -> {}", change.key, change.before, change.after));
  }
  if (for_later == told_for_later_) return;
  for (const SettingChange& change : for_later)
    log_.warn(
        fmt::format("heddle.toml: {} = {} counts from the daemon's next start; {} stays "
                    "until then",
                    change.key, change.after, change.before));
  told_for_later_ = std::move(for_later);
}

}  // namespace heddle::app

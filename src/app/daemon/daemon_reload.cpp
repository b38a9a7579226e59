// DaemonService: reloading changed files.
#include <algorithm>
#include <set>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <fmt/format.h>

#include "app/daemon/daemon_service.hpp"
#include "base/rethrow_bug.hpp"

namespace heddle::app {

namespace asio = boost::asio;
using config::AppliedBy;
using config::SettingChange;

namespace {

constexpr const char* kNothingApplied = "the changed files were not applied";
constexpr const char* kPartlyApplied =
    "the changed files were applied, but not everything could be stored; `heddle reload` tries "
    "again";
constexpr const char* kReloadNote = "reload.at";

bool has_any(const std::vector<SettingChange>& changes, AppliedBy by) {
  return std::any_of(changes.begin(), changes.end(),
                     [by](const SettingChange& change) { return change.applied_by == by; });
}

// Former secrets stay redacted: jobs with broken files, running programs and messages on their way
// still use them.
void keep_secrets(std::vector<std::string>& secrets, const std::vector<std::string>& former) {
  const std::set<std::string> known(secrets.begin(), secrets.end());
  for (const std::string& secret : former)
    if (!known.contains(secret)) secrets.push_back(secret);
}

}  // namespace

void DaemonService::update_file_watch() {
  const bool should_watch = project_.reload == ReloadRule::watch;
  if (should_watch == (watch_ != nullptr)) return;
  if (!should_watch) return std::exchange(watch_, nullptr)->close();
  auto opened = hub::FileWatcher::open(loop_.get_executor(), project_.root,
                                       {.excluded = {project_.data_dir}});
  if (!opened)
    return log_.warn(opened.error().message + "; run `heddle reload` after changing files");
  watch_ = std::move(*opened);
  asio::co_spawn(loop_, watch_files(watch_), rethrow_bug);
}

Async<void> DaemonService::watch_files(std::shared_ptr<hub::FileWatcher> watch) {
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
  for (const std::string& job : report->added) log_.info("job '" + job + "' is new", {.job = job});
  for (const std::string& job : report->changed)
    log_.info("job '" + job + "' has changed", {.job = job});
  log_invalid_files(report->broken);
}

// Each once: a reload may happen with every saved file.
void DaemonService::log_invalid_files(const std::vector<control::InvalidFile>& files) {
  std::set<std::string> mistakes;
  for (const control::InvalidFile& file : files) {
    mistakes.insert(file.mistake);
    if (!reported_mistakes_.contains(file.mistake))
      log_.error(file.mistake + std::string(control::consequence_of(file)));
  }
  reported_mistakes_ = std::move(mistakes);
}

Async<Result<control::ReloadReport>> DaemonService::reload(bool dry_run) {
  while (is_reloading_) co_await reloaded_.wait();
  if (is_shutting_down_) co_return Error{ErrorCode::unavailable, "the daemon is shutting down"};
  is_reloading_ = true;
  auto read = co_await source_.read();
  Result<control::ReloadReport> answer = control::ReloadReport{};
  if (read) {
    answer = compare(*read);
    if (!dry_run) {
      auto applied = co_await apply(std::move(*read));
      if (!applied) answer = std::move(applied).error();
    }
  } else {
    answer = std::move(read).error().during(kNothingApplied);
  }
  is_reloading_ = false;
  reloaded_.notify();
  co_return answer;
}

control::ReloadReport DaemonService::compare(const ReadProject& read) const {
  control::ReloadReport report;
  std::set<std::string> present;
  for (const BrokenJob& job : read.broken) {
    const Job* former = former_version(job);
    if (former != nullptr) present.insert(former->id.text);
    report.broken.push_back({job.mistake, former != nullptr});
  }
  for (const SettingChange& change : read.changes)
    report.settings.push_back(
        {change.key, change.before, change.after, change.applied_by == AppliedBy::next_daemon});
  for (const Job& job : read.project.jobs) {
    present.insert(job.id.text);
    const Job* known = scheduler_.find_job(job.id);
    if (known == nullptr)
      report.added.push_back(job.id.text);
    else if (known->version() != job.version())
      report.changed.push_back(job.id.text);
  }
  for (const Job& job : project_.jobs)
    if (!present.contains(job.id.text)) report.removed.push_back(job.id.text);
  return report;
}

// If the job's id cannot be read, its folder identifies it.
const Job* DaemonService::former_version(const BrokenJob& broken) const {
  if (const Job* former = scheduler_.find_job(broken.id)) return former;
  if (broken.directory.empty()) return nullptr;
  const auto found =
      std::find_if(project_.jobs.begin(), project_.jobs.end(),
                   [&broken](const Job& job) { return job.directory == broken.directory; });
  return found == project_.jobs.end() ? nullptr : &*found;
}

// A job whose file is broken keeps its former version.
Async<Status> DaemonService::apply(ReadProject read) {
  log_misnamed(read.misnamed);
  std::vector<Job> jobs = std::move(read.project.jobs);
  std::set<JobId> broken_ids;
  for (const BrokenJob& broken : read.broken) {
    const Job* former = former_version(broken);
    if (former == nullptr) continue;
    broken_ids.insert(former->id);
    jobs.push_back(*former);
  }
  auto writable = co_await record_reload();
  if (!writable) co_return std::move(writable).error().during(kNothingApplied);
  // Before the jobs, so that their runs start in workers with the settings they were read with.
  auto applied = apply_settings(read);
  if (!applied) co_return std::move(applied).error().during(kNothingApplied);
  project_.jobs = jobs;
  auto adopted = co_await scheduler_.configure_jobs(std::move(jobs), std::move(broken_ids));
  if (!adopted) co_return std::move(adopted).error().during(kPartlyApplied);
  co_return adopted;
}

// Jobs are written one by one after the settings are active; this write shows beforehand whether
// the store is writable.
Async<Status> DaemonService::record_reload() {
  const WallTime now = coordinator_->clock().now();
  store::Note note;
  note.name = kReloadNote;
  note.value = to_iso8601(now);
  co_return co_await coordinator_->history().put_note(std::move(note), now);
}

// Replaces workers only when a change concerns them; pages in flight finish in the old ones.
Status DaemonService::apply_settings(ReadProject& read) {
  Project next = std::move(read.project);
  next.data_dir = project_.data_dir;
  keep_secrets(next.secrets, project_.secrets);
  const bool renew_workers = has_any(read.changes, AppliedBy::workers);
  if (renew_workers || has_any(read.changes, AppliedBy::coordinator)) {
    auto applied = coordinator_->apply_settings(next, worker_count(next, options_), renew_workers);
    if (!applied) return applied;
    source_.set_active(next.settings_text, std::move(read.settings));
  }
  next.jobs = std::move(project_.jobs);
  project_ = std::move(next);
  coordinator_->set_secrets(project_.secrets);
  scheduler_.set_rules(scheduler_rules(project_));
  alerts_.set_receivers({project_.alerts.to, project_.channels});
  system_.set_rules(symptom_rules(project_, *coordinator_));
  housekeeper_.set_rules(project_.retention);
  storage_.set_rule(project_.storage);
  on_settings_(project_);
  log_settings(read.changes);
  update_file_watch();
  return Done{};
}

// Each once, for people who wait for a job that is not loaded.
void DaemonService::log_misnamed(const std::vector<std::string>& files) {
  for (const std::string& file : files)
    if (std::ranges::count(reported_misnamed_, file) == 0) log_.warn(file);
  reported_misnamed_ = files;
}

void DaemonService::log_settings(const std::vector<SettingChange>& changes) {
  std::vector<SettingChange> for_later;
  for (const SettingChange& change : changes) {
    if (change.applied_by == AppliedBy::next_daemon)
      for_later.push_back(change);
    else
      log_.info(fmt::format("heddle.toml: {}: {} -> {}", change.key, change.before, change.after));
  }
  if (for_later == reported_for_next_start_) return;
  for (const SettingChange& change : for_later)
    log_.warn(fmt::format(
        "heddle.toml: {} = {} takes effect at the daemon's next start; until then it is {}",
        change.key, change.after, change.before));
  reported_for_next_start_ = std::move(for_later);
}

}  // namespace heddle::app

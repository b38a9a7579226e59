#include "app/client/offline_actions.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/io_context.hpp>

#include "app/project/project_databases.hpp"
#include "app/project/project_lock.hpp"
#include "base/drive.hpp"
#include "base/run_concurrently.hpp"
#include "base/user_name.hpp"
#include "hub/health/housekeeper.hpp"
#include "lifecycle/act_offline.hpp"
#include "store/sqlite/sqlite_store.hpp"

namespace heddle::app {

namespace {

using lifecycle::JobAction;

// Concurrent actions, so that the store writes them in one transaction.
constexpr std::size_t kOfflineActionBatch = 256;

constexpr const char* kNothingToDo = "nothing to do";
constexpr const char* kOwesHooks =
    "its post_stop hooks run when `heddle up` starts the next daemon";
constexpr const char* kNoDaemon =
    "stored; no daemon is running: it takes effect when `heddle up` starts one";

struct LockedStore {
  ProjectLock lock;  // released last
  std::unique_ptr<store::SqliteStore> store;
};

Result<LockedStore> open_locked_store(const Project& project, Log& log) {
  auto lock = ProjectLock::acquire_soon(project.data_dir, ProjectLock::Hold::brief);
  if (!lock) return std::move(lock).error();
  store::SqliteOptions options;
  options.log = &log;
  auto store = store::SqliteStore::open(database_file(project), options);
  if (!store) return std::move(store).error();
  return LockedStore{std::move(*lock), std::move(*store)};
}

// A job without a configuration may get it back, and its hooks with it.
bool has_post_stop_hooks(const Job* job) {
  return job == nullptr || std::ranges::any_of(job->hooks, [](const HookRule& hook) {
           return hook.phase == HookPhase::post_stop;
         });
}

Async<Result<JobStatus>> act(lifecycle::OfflineParts parts, const Job* job, JobId id,
                             JobAction action) {
  if (job != nullptr) {
    auto created = co_await parts.statuses.create(id, job->revision);
    if (!created) co_return std::move(created).error();
  } else if (parts.statuses.find(id) != nullptr && lifecycle::needs_configuration(action)) {
    co_return lifecycle::not_configured(id);
  }
  lifecycle::ActionRequest request{action, false, "cli:" + user_name(geteuid())};
  co_return co_await lifecycle::act_offline(parts, std::move(id), std::move(request),
                                            has_post_stop_hooks(job));
}

Async<void> act_on(lifecycle::OfflineParts parts, const Project& project, JobAction action,
                   control::JobActionResult& answer) {
  JobId id{answer.job};
  const Job* job = project.find_job(answer.job);
  const JobStatus* before = parts.statuses.find(id);
  const bool owes_hooks = before != nullptr && before->run && lifecycle::ends_run(action) &&
                          job != nullptr && has_post_stop_hooks(job);
  const auto status = co_await act(parts, job, std::move(id), action);
  if (!status) co_return describe_refusal(status.error(), parts.statuses, answer, action);
  answer.state = to_text(status->state);
  const bool is_to_run = status->state == JobState::starting || status->state == JobState::running;
  if (is_to_run) answer.remark = kNoDaemon;
  if (owes_hooks) answer.remark = kOwesHooks;
}

Async<Result<std::vector<control::JobActionResult>>> act_on_all(lifecycle::OfflineParts parts,
                                                                const Project& project,
                                                                const control::ActOnJobs& request,
                                                                JobAction action) {
  auto loaded = co_await parts.statuses.load();
  if (!loaded) co_return std::move(loaded).error();
  std::vector<control::JobActionResult> answers(request.jobs.size());
  std::function<Async<void>(std::size_t)> one = [&](std::size_t index) {
    answers[index].job = request.jobs[index];
    return act_on(parts, project, action, answers[index]);
  };
  co_await run_concurrently(answers.size(), kOfflineActionBatch, std::move(one));
  co_return answers;
}

// Deletes everything before it returns: no daemon runs to finish in the background.
Async<Result<std::vector<control::JobActionResult>>> delete_all(lifecycle::JobStatusStore& statuses,
                                                                store::History& history,
                                                                const Project& project,
                                                                const control::ActOnJobs& request) {
  auto loaded = co_await statuses.load();
  if (!loaded) co_return std::move(loaded).error();
  std::vector<control::JobActionResult> answers;
  for (const std::string& name : request.jobs) {
    control::JobActionResult answer;
    answer.job = name;
    JobId id{name};
    const auto removed = co_await statuses.remove(std::move(id));
    if (removed)
      answer.state = kDeleted;
    else
      answer.error = removed.error().message;
    answers.push_back(std::move(answer));
    std::error_code ignored;
    if (removed) std::filesystem::remove_all(data_folder_of(project, name), ignored);
  }
  auto finished = co_await hub::finish_deletions(history);
  if (!finished) co_return std::move(finished).error();
  co_return answers;
}

}  // namespace

void describe_refusal(const Error& why, const lifecycle::JobStatusStore& statuses,
                      control::JobActionResult& result, std::optional<JobAction> action) {
  const JobStatus* status = statuses.find(JobId{result.job});
  if (status != nullptr) result.state = to_text(status->state);
  const bool is_refused = why.code == ErrorCode::conflict;
  if (is_refused && status != nullptr && action &&
      lifecycle::is_in_effect(*action, status->state)) {
    result.remark = kNothingToDo;
    return;
  }
  result.error = why.message;
  if (status != nullptr) result.allowed = lifecycle::allowed_actions(*status);
}

std::filesystem::path data_folder_of(const Project& project, const std::string& job) {
  // An id that is no plain file name could point outside the job's folder.
  const std::filesystem::path name(job);
  if (job.empty() || job.starts_with('.') || name.filename() != name) return {};
  Job named;
  named.id = JobId{job};
  return project.job_data_dir(named);
}

Result<std::vector<control::JobActionResult>> act_on_jobs_offline(const Project& project,
                                                                  const control::ActOnJobs& request,
                                                                  Log& log) {
  const bool is_deletion = request.action == lifecycle::kDeleteAction;
  const auto action = lifecycle::job_action_from(request.action);
  if (!action && !is_deletion)
    return Error{ErrorCode::bad_input, "unknown action '" + request.action + "'"};
  auto locked = open_locked_store(project, log);
  if (!locked) return std::move(locked).error();
  const SystemClock clock;
  lifecycle::JobStatusStore statuses(*locked->store, clock);
  boost::asio::io_context loop(1);
  if (is_deletion) return drive(loop, delete_all(statuses, *locked->store, project, request));
  return drive(loop, act_on_all({statuses, *locked->store, *locked->store, clock}, project, request,
                                *action));
}

Async<Result<control::DeadLettersDone>> apply_dead_letter_action(
    store::Store& store, const Clock& clock, control::ActOnDeadLetters request) {
  control::DeadLettersDone done;
  if (request.action == control::DeadLetterAction::purge) {
    auto purged = co_await store.purge_dead_letters(std::move(request.dead_letters), clock.now());
    if (!purged) co_return std::move(purged).error();
    done.count = *purged;
    co_return done;
  }
  done.count = static_cast<std::int64_t>(request.dead_letters.size());
  auto resent = co_await store.resend_dead_letters(std::move(request.dead_letters), clock.now());
  if (!resent) co_return std::move(resent).error();
  co_return done;
}

Result<control::DeadLettersDone> act_on_stored_dead_letters(const Project& project,
                                                            control::ActOnDeadLetters request,
                                                            Log& log) {
  auto locked = open_locked_store(project, log);
  if (!locked) return std::move(locked).error();
  const SystemClock clock;
  boost::asio::io_context loop(1);
  return drive(loop, apply_dead_letter_action(*locked->store, clock, std::move(request)));
}

}  // namespace heddle::app

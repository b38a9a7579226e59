#include "store/sqlite/tables/tables.hpp"

#include <algorithm>

namespace heddle::store {

namespace {

Status check(const PageResult& page, const HeldTask& task) {
  const bool has_failed = page.outcome == TaskState::dead && page.problem.kind != ErrorKind::none;
  if (page.outcome != TaskState::done && page.outcome != TaskState::skipped && !has_failed)
    return Error{ErrorCode::bad_input,
                 "a page can be committed as done, skipped or dead with a failure, not as " +
                     std::string(to_text(page.outcome))};
  if (page.job != task.job)
    return Error{ErrorCode::bad_input, "task " + std::to_string(task.number) + " belongs to job '" +
                                           task.job.text + "', not to '" + page.job.text + "'"};
  return Done{};
}

TaskDeath death_of(const PageResult& page) {
  TaskDeath death;
  death.lease = page.lease;
  death.job = page.job;
  death.error = page.problem;
  death.at = page.fetched_at;
  death.cost = page.cost;
  return death;
}

}  // namespace

Status Tables::change_job(const JobChange& change) {
  if (auto changed = statuses.change(change); !changed) return changed;
  for (const Delivery& delivery : change.deliveries)
    if (auto added = outbox.add(delivery); !added) return added;
  return Done{};
}

Status Tables::change_alert(const AlertChange& change) {
  if (auto changed = alerts.change(change); !changed) return changed;
  for (const Delivery& delivery : change.deliveries)
    if (auto added = outbox.add(delivery); !added) return added;
  return Done{};
}

Result<CommitReceipt> Tables::commit(const PageResult& page) {
  auto task = tasks.hold(page.lease, page.outcome);
  if (!task) return std::move(task).error();
  if (task->is_repeated)
    return CommitReceipt{
        .new_items = task->items_new, .changed_items = task->items_changed, .repeated = true};
  if (auto valid = check(page, *task); !valid) return std::move(valid).error();

  auto outcome = store_page(*task, page);
  if (!outcome) return std::move(outcome).error();
  // Before the task ends: a run with open pages never looks finished.
  auto found = tasks.add_found(*task, page.found);
  if (!found) return std::move(found).error();
  if (auto done = tasks.finish(*task, *outcome, page); !done) return std::move(done).error();
  if (page.outcome == TaskState::dead)
    if (auto added = tasks.record_death(*task, death_of(page)); !added)
      return std::move(added).error();
  return CommitReceipt{.new_items = outcome->items_new,
                       .changed_items = outcome->items_changed,
                       .found_pages = *found};
}

Result<Run> Tables::end_run(const RunId& run, RunState state, std::vector<RunError> errors,
                            WallTime now) {
  if (state == RunState::completed)
    if (auto decided = followed.decide_gone(run, now); !decided) return std::move(decided).error();
  return tasks.end_run(run, state, std::move(errors), now);
}

Result<std::int64_t> Tables::import_items(const NextImportedItem& next) {
  std::int64_t fresh = 0;
  while (true) {
    auto imported = next();
    if (!imported) return std::move(imported).error();
    if (!*imported) return fresh;
    auto job = jobs.number_of((*imported)->job);
    if (!job) return std::move(job).error();
    auto url = pages.url_number((*imported)->url);
    if (!url) return std::move(url).error();
    if (auto used = pages.add_url_use(*job, *url); !used) return std::move(used).error();
    auto is_new = items.import(*job, *url, **imported);
    if (!is_new) return std::move(is_new).error();
    if (*is_new) ++fresh;
  }
}

Result<TaskOutcome> Tables::store_page(const HeldTask& task, const PageResult& page) {
  TaskOutcome outcome{.state = page.outcome,
                      .items_seen = page.items_seen,
                      .items_new = 0,
                      .items_changed = 0,
                      .bytes = page.bytes,
                      .http_status = page.http_status,
                      .for_run = {.price_changes = page.price_changes}};
  if (page.unchanged) {
    auto items_seen = pages.touch(task, page);
    if (!items_seen) return std::move(items_seen).error();
    outcome.items_seen = *items_seen;
    return outcome;
  }
  if (auto stored = store_findings(task, page, outcome); !stored) return std::move(stored).error();
  for (const Delivery& delivery : page.deliveries)
    if (auto added = outbox.add(delivery); !added) return std::move(added).error();
  return outcome;
}

Status Tables::store_findings(const HeldTask& task, const PageResult& page, TaskOutcome& outcome) {
  // A skipped page was not read: its stored state is kept.
  const bool was_read = page.outcome != TaskState::skipped;
  if (!was_read && page.new_items.empty()) return Done{};
  auto url = pages.url_number(page.final_url.empty() ? task.url : page.final_url);
  if (!url) return std::move(url).error();
  if (!was_read) {
    auto stored = items.add(task, page, {.url = *url});
    if (!stored) return std::move(stored).error();
    outcome.items_new = static_cast<std::int64_t>(stored->size());
    return pages.add_url_use(task.job_number, *url);
  }
  auto put = pages.put(task, page, *url);
  if (!put) return std::move(put).error();
  auto stored = items.add(task, page, {.url = *url, .page = put->id});
  if (!stored) return std::move(stored).error();
  outcome.items_new = static_cast<std::int64_t>(stored->size());
  auto updated = followed.update(task, page, put->id);
  if (!updated) return std::move(updated).error();
  outcome.items_changed = updated->changed;
  if (auto added = text_changes.add(task, page, put->id); !added) return added;
  outcome.for_run.items_gone = put->items_gone;
  outcome.for_run.is_changed = put->is_changed;
  // The page is the one that found them.
  stored->insert(stored->end(), updated->adopted.begin(), updated->adopted.end());
  std::sort(stored->begin(), stored->end());
  return items.list(task.job_number, difference_of(put->added, *stored), put->id);
}

}  // namespace heddle::store

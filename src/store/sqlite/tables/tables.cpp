#include "store/sqlite/tables/tables.hpp"

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
  if (task->is_repeated) return CommitReceipt{.new_items = task->items_new, .repeated = true};
  if (auto valid = check(page, *task); !valid) return std::move(valid).error();

  auto outcome = store_page(*task, page);
  if (!outcome) return std::move(outcome).error();
  if (auto done = tasks.finish(*task, *outcome, page); !done) return std::move(done).error();
  if (page.outcome == TaskState::dead)
    if (auto added = tasks.record_death(*task, death_of(page)); !added)
      return std::move(added).error();
  return CommitReceipt{.new_items = outcome->items_new, .repeated = false};
}

Result<TaskOutcome> Tables::store_page(const HeldTask& task, const PageResult& page) {
  TaskOutcome outcome{.state = page.outcome,
                      .items_seen = page.items_seen,
                      .items_new = 0,
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
  auto stored = items.add(task, page, *url);
  if (!stored) return std::move(stored).error();
  outcome.items_new = *stored;
  if (!was_read) return pages.add_url_use(task.job_number, *url);
  auto difference = pages.put(task, page, *url);
  if (!difference) return std::move(difference).error();
  outcome.for_run.items_gone = difference->items_gone;
  outcome.for_run.is_changed = difference->is_changed;
  return Done{};
}

}  // namespace heddle::store

// SqliteStore: retention and maintenance.
#include <algorithm>
#include <memory>
#include <utility>

#include "store/sqlite/core/sqlite_calls.hpp"
#include "store/sqlite/sqlite_store_parts.hpp"

namespace heddle::store {

namespace {

template <class T, class Work>
Async<Result<T>> run_batch(GroupWriter& writer, MaintenanceTables& maintenance,
                           SqliteQueries& queries, Work work) {
  MaintenanceBatch<T, Work> batch{maintenance, queries, std::move(work)};
  return write_through<T>(writer, std::move(batch));
}

}  // namespace

Async<Result<SweepBatch>> SqliteStore::sweep(SweepRequest request) {
  auto work = [&maintenance = parts_->maintenance,
               request = std::move(request)](const BatchDeadline& deadline) {
    return maintenance.sweeper.sweep(request, deadline);
  };
  return run_batch<SweepBatch>(parts_->writer, parts_->maintenance, *parts_->queries,
                               std::move(work));
}

Async<Result<MeasuredBatch>> SqliteStore::measure(HistoryClass what, std::int64_t after) {
  return parts_->queries->measure(what, after);
}

Async<Result<bool>> SqliteStore::release_space() {
  auto work = [&maintenance = parts_->maintenance](const BatchDeadline& deadline) {
    return maintenance.vacuum.run(deadline);
  };
  return run_batch<bool>(parts_->writer, parts_->maintenance, *parts_->queries, std::move(work));
}

Async<Status> SqliteStore::truncate_wal() {
  auto start = [&checkpointer = parts_->checkpointer](std::shared_ptr<WaitingCall<Status>> caller) {
    checkpointer.truncate([caller = std::move(caller)] { caller->answer(Done{}); });
  };
  return wait_for_answer<Status>(std::move(start));
}

void SqliteStore::set_wal_limit(std::int64_t bytes) {
  parts_->checkpointer.set_wal_limit(static_cast<std::size_t>(std::max<std::int64_t>(bytes, 0)));
}

Async<Status> SqliteStore::begin_deletion(JobId job, WallTime now) {
  auto mark = [&maintenance = parts_->maintenance, job, now] {
    return maintenance.jobs.begin(job, now);
  };
  auto marking = write_through<Done>(parts_->writer, std::move(mark));
  auto marked = co_await std::move(marking);
  if (!marked) co_return marked;
  co_return co_await parts_->queries->refresh_job(std::move(job));
}

Async<Result<bool>> SqliteStore::continue_deletions() {
  auto work = [&maintenance = parts_->maintenance](const BatchDeadline& deadline) {
    return maintenance.jobs.continue_deletion(deadline);
  };
  return run_batch<bool>(parts_->writer, parts_->maintenance, *parts_->queries, std::move(work));
}

Async<Result<std::optional<std::string>>> SqliteStore::find_note(std::string name) {
  return parts_->queries->find_note(std::move(name));
}

Async<Status> SqliteStore::put_note(Note note, WallTime now) {
  return write_through<Done>(parts_->writer,
                             [&maintenance = parts_->maintenance, note = std::move(note), now] {
                               return maintenance.notes.put(note, now);
                             });
}

BatchFigures SqliteStore::maintenance_figures() const {
  return parts_->maintenance.pacer.figures();
}

}  // namespace heddle::store

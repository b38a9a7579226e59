#include "store/sqlite/sqlite_store.hpp"

#include <algorithm>
#include <utility>

#include "store/sqlite/core/schema.hpp"
#include "store/sqlite/core/sqlite_calls.hpp"
#include "store/sqlite/sqlite_store_parts.hpp"

namespace heddle::store {

namespace {

constexpr std::size_t kCheckpointerCacheBytes = 64u << 10;  // it only copies pages

Status set_up_writer(Connection& db, const SqliteOptions& options) {
  if (auto ready = migrate(db, migrations()); !ready) return ready;
  // FULL: the WAL is synced at every commit, so that an acknowledged commit survives a power cut.
  auto set =
      db.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0");
  if (!set || options.max_file_bytes == 0) return set;
  return db.execute("PRAGMA max_page_count=" + std::to_string(options.max_file_bytes / 4096));
}

Result<Connections> connect(const std::filesystem::path& file, const SqliteOptions& options) {
  auto disk = BatchingWal::over(options.vfs);
  if (!disk) return std::move(disk).error();
  auto writer = Connection::open(file, {.cache_bytes = options.cache_bytes, .vfs = (*disk)->vfs()});
  if (!writer) return std::move(writer).error();
  if (auto ready = set_up_writer(**writer, options); !ready) return std::move(ready).error();
  auto checkpointer =
      Connection::open(file, {.cache_bytes = kCheckpointerCacheBytes, .vfs = options.vfs});
  if (!checkpointer) return std::move(checkpointer).error();
  auto synced = (*checkpointer)->execute("PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0");
  if (!synced) return std::move(synced).error();
  auto queries =
      SqliteQueries::open(file, {.known_keys_bytes = options.known_keys_bytes, .vfs = options.vfs});
  if (!queries) return std::move(queries).error();
  return Connections{std::move(*disk), std::move(*writer), std::move(*checkpointer),
                     std::move(*queries)};
}

}  // namespace

namespace {

// Keys are cached only when they are durable.
struct CommitWork {
  Tables& tables;
  SqliteQueries& queries;
  PageResult page;
  std::int64_t job_number = 0;

  Result<CommitReceipt> operator()() {
    auto receipt = tables.commit(page);
    if (!receipt)
      return std::move(receipt).error().during("cannot store the page " + page.lease.task.url);
    auto number = tables.jobs.find(page.job);
    if (!number) return std::move(number).error();
    job_number = *number;
    return receipt;
  }

  void committed(const CommitReceipt& receipt) {
    queries.set_number(page.job, job_number);
    queries.remember(page, receipt);
  }
};

}  // namespace

SqliteStore::SqliteStore(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
SqliteStore::~SqliteStore() = default;

Result<std::unique_ptr<SqliteStore>> SqliteStore::open(const std::filesystem::path& file,
                                                       const SqliteOptions& options) {
  auto connections = connect(file, options);
  if (!connections) return std::move(connections).error().during("cannot open the database");
  auto parts = std::make_unique<Parts>(std::move(*connections), options);
  return std::unique_ptr<SqliteStore>(new SqliteStore(std::move(parts)));
}

Async<Status> SqliteStore::put_job_name(JobName job) {
  return write_through<Done>(parts_->writer, [&tables = parts_->tables, job = std::move(job)] {
    return tables.jobs.put_name(job);
  });
}

Async<Status> SqliteStore::change_job(JobChange change) {
  return write_through<Done>(
      parts_->writer,
      [&tables = parts_->tables, change = std::move(change)] { return tables.change_job(change); });
}

Async<Result<std::vector<JobStatus>>> SqliteStore::job_statuses() {
  return parts_->queries->job_statuses();
}

Async<Status> SqliteStore::begin_run(Run run, std::vector<std::string> urls) {
  return write_through<Done>(
      parts_->writer, [&tables = parts_->tables, run = std::move(run), urls = std::move(urls)] {
        auto begun = tables.tasks.begin_run(run, urls);
        return begun ? Status(Done{}) : Status(std::move(begun).error());
      });
}

Async<Result<TaskBatch>> SqliteStore::lease_tasks(RunId run, std::size_t max, WallTime now) {
  return write_through<TaskBatch>(parts_->writer,
                                  [&tables = parts_->tables, run = std::move(run), max, now] {
                                    return tables.tasks.lease(run, max, now);
                                  });
}

Async<Result<CommitReceipt>> SqliteStore::commit(PageResult page) {
  return write_through<CommitReceipt>(
      parts_->writer, CommitWork{parts_->tables, *parts_->queries, std::move(page)});
}

Async<Status> SqliteStore::postpone(TaskRetry retry) {
  return write_through<Done>(parts_->writer, [&tables = parts_->tables, retry = std::move(retry)] {
    return tables.tasks.postpone(retry);
  });
}

Async<Status> SqliteStore::dead_letter(TaskDeath death) {
  return write_through<Done>(parts_->writer, [&tables = parts_->tables, death = std::move(death)] {
    return tables.tasks.dead_letter(death);
  });
}

Async<Status> SqliteStore::charge(RunId run, PageCost cost) {
  return write_through<Done>(parts_->writer, [&tables = parts_->tables, run = std::move(run),
                                              cost] { return tables.tasks.charge(run, cost); });
}

Async<Status> SqliteStore::release_leases(RunId run) {
  return write_through<Done>(parts_->writer, [&tables = parts_->tables, run = std::move(run)] {
    return tables.tasks.release(run);
  });
}

Async<Status> SqliteStore::mark_run(RunId run, RunState state) {
  return write_through<Done>(parts_->writer, [&tables = parts_->tables, run = std::move(run),
                                              state] { return tables.tasks.mark_run(run, state); });
}

Async<Result<Run>> SqliteStore::end_run(RunId run, RunState state, std::vector<RunError> errors,
                                        WallTime now) {
  return write_through<Run>(parts_->writer, [&tables = parts_->tables, run = std::move(run), state,
                                             errors = std::move(errors), now] {
    return tables.end_run(run, state, errors, now);
  });
}

Async<Result<std::vector<Run>>> SqliteStore::unfinished_runs() {
  return parts_->queries->unfinished_runs();
}

Async<Result<std::optional<Run>>> SqliteStore::find_run(RunId run) {
  return parts_->queries->find_run(std::move(run));
}

Async<Result<JobUsage>> SqliteStore::usage_since(JobId job, WallTime since) {
  return parts_->queries->usage_since(std::move(job), since);
}

Async<Result<std::vector<RunFigures>>> SqliteStore::recent_runs(JobId job, std::size_t max) {
  return parts_->queries->recent_runs(std::move(job), max);
}

Async<Result<OutboxCounts>> SqliteStore::outbox_counts(JobId job) {
  return parts_->queries->outbox_counts(std::move(job));
}

Async<Result<SystemLoad>> SqliteStore::system_load(WallTime dead_letters_since) {
  return parts_->queries->system_load(dead_letters_since);
}

Async<Status> SqliteStore::change_alert(AlertChange change) {
  return write_through<Done>(parts_->writer,
                             [&tables = parts_->tables, change = std::move(change)] {
                               return tables.change_alert(change);
                             });
}

Async<Result<std::vector<SystemAlert>>> SqliteStore::alerts() {
  return parts_->queries->alerts();
}

Async<Result<std::optional<PageMemory>>> SqliteStore::recall_page(JobId job, std::string url) {
  return parts_->queries->recall_page(std::move(job), std::move(url));
}

Async<Result<std::optional<std::string>>> SqliteStore::newest_body(JobId job, std::string url) {
  return parts_->queries->newest_body(std::move(job), std::move(url));
}

Async<Result<KnownAnswer>> SqliteStore::find_known(KnownQuery query) {
  return parts_->queries->find_known(std::move(query));
}

Async<Result<std::vector<Delivery>>> SqliteStore::due_deliveries(WallTime now, std::size_t max) {
  return parts_->queries->due_deliveries(now, max);
}

Async<Status> SqliteStore::delivered(DeliveryId id, WallTime now) {
  return write_through<Done>(parts_->writer, [&tables = parts_->tables, id = std::move(id), now] {
    return tables.outbox.delivered(id, now);
  });
}

Async<Status> SqliteStore::shift_waits(std::chrono::milliseconds by) {
  return write_through<Done>(parts_->writer, [&tables = parts_->tables, by] {
    auto shifted = tables.outbox.shift_waits(by);
    return shifted ? tables.tasks.shift_waits(by) : std::move(shifted);
  });
}

Async<Status> SqliteStore::restart_waits_after(WallTime now) {
  return write_through<Done>(parts_->writer, [&tables = parts_->tables, now] {
    auto restarted = tables.outbox.restart_waits_after(now);
    return restarted ? tables.tasks.restart_waits_after(now) : std::move(restarted);
  });
}

Async<Status> SqliteStore::postpone_delivery(DeliveryId id, DeliveryWait wait, std::string error) {
  return write_through<Done>(parts_->writer, [&tables = parts_->tables, id = std::move(id), wait,
                                              error = std::move(error)] {
    return tables.outbox.postpone(id, wait, error);
  });
}

Async<Status> SqliteStore::dead_letter_delivery(DeliveryId id, WallTime now, std::string error) {
  return write_through<Done>(parts_->writer, [&tables = parts_->tables, id = std::move(id), now,
                                              error = std::move(error)] {
    return tables.outbox.dead_letter(id, now, error);
  });
}

Async<Result<std::int64_t>> SqliteStore::begin_run_of_dead_letters(
    Run run, std::vector<DeadLetterId> dead_letters) {
  return write_through<std::int64_t>(
      parts_->writer,
      [&tables = parts_->tables, run = std::move(run), dead_letters = std::move(dead_letters)] {
        return tables.dead_letters.begin_run(run, dead_letters);
      });
}

Async<Status> SqliteStore::resend_dead_letters(std::vector<DeadLetterId> dead_letters,
                                               WallTime now) {
  return write_through<Done>(
      parts_->writer, [&tables = parts_->tables, dead_letters = std::move(dead_letters), now] {
        return tables.dead_letters.resend(dead_letters, now);
      });
}

Async<Result<std::int64_t>> SqliteStore::purge_dead_letters(std::vector<DeadLetterId> dead_letters,
                                                            WallTime now) {
  return write_through<std::int64_t>(
      parts_->writer, [&tables = parts_->tables, dead_letters = std::move(dead_letters), now] {
        return tables.dead_letters.purge(dead_letters, now);
      });
}

Async<Result<std::int64_t>> SqliteStore::import_items(NextImportedItem next) {
  return write_through<std::int64_t>(
      parts_->writer,
      [&tables = parts_->tables, next = std::move(next)] { return tables.import_items(next); });
}

}  // namespace heddle::store

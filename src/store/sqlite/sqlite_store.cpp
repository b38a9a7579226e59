#include "store/sqlite/sqlite_store.hpp"

#include <algorithm>
#include <utility>

#include "store/sqlite/body_rows.hpp"
#include "store/sqlite/checkpointer.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/group_writer.hpp"
#include "store/sqlite/known_keys.hpp"
#include "store/sqlite/known_rows.hpp"
#include "store/sqlite/page_rows.hpp"
#include "store/sqlite/read_thread.hpp"
#include "store/sqlite/run_rows.hpp"
#include "store/sqlite/schema.hpp"
#include "store/sqlite/sqlite_calls.hpp"
#include "store/sqlite/tables.hpp"

namespace heddle::store {

namespace {

constexpr std::size_t kReaderCacheBytes = 4u << 20;
constexpr std::size_t kCheckpointerCacheBytes = 64u << 10;  // it only copies pages

constexpr std::size_t kKnownContentsBytes = 1u << 20;

using Db = std::unique_ptr<Connection>;

// What is certainly stored, so that it need not be asked for.
struct Known {
  explicit Known(std::size_t key_bytes) : keys(key_bytes), contents_(kKnownContentsBytes) {}

  [[nodiscard]] bool has_content(const Hash128& content) const {
    std::vector<bool> found;
    return contents_.find({}, {&content, 1}, found) == 1;
  }
  void add_content(const Hash128& content) { contents_.add({}, {&content, 1}); }

  KnownKeys keys;

 private:
  KnownKeys contents_;  // of no particular job
};

struct Connections {
  Db writer;
  Db reader;
  Db checkpointer;
};

Status set_up_writer(Connection& db, const SqliteOptions& options) {
  if (auto ready = migrate(db, migrations()); !ready) return ready;
  // FULL: the log is synced at every commit, so that an acknowledged one survives a power cut.
  auto set = db.execute(
      "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0;"
      "PRAGMA journal_size_limit=" +
      std::to_string(options.checkpoint_bytes * 4));
  if (!set || options.max_file_bytes == 0) return set;
  return db.execute("PRAGMA max_page_count=" + std::to_string(options.max_file_bytes / 4096));
}

Result<Connections> connect(const std::filesystem::path& file, const SqliteOptions& options) {
  Connections open;
  auto writer = Connection::open(file, {.cache_bytes = options.cache_bytes, .vfs = options.vfs});
  if (!writer) return std::move(writer).error();
  if (auto ready = set_up_writer(**writer, options); !ready) return std::move(ready).error();
  auto reader = Connection::open(
      file, {.read_only = true, .cache_bytes = kReaderCacheBytes, .vfs = options.vfs});
  if (!reader) return std::move(reader).error();
  auto checkpointer =
      Connection::open(file, {.cache_bytes = kCheckpointerCacheBytes, .vfs = options.vfs});
  if (!checkpointer) return std::move(checkpointer).error();
  auto synced = (*checkpointer)->execute("PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0");
  if (!synced) return std::move(synced).error();
  return Connections{std::move(*writer), std::move(*reader), std::move(*checkpointer)};
}

// What the reader thread uses.
struct Views {
  explicit Views(Connection& db)
      : jobs(db), runs(db), pages(db), bodies(db), known(db, jobs), outbox(db) {}
  JobNumbers jobs;
  RunRows runs;
  PageRows pages;
  BodyRows bodies;
  KnownRows known;
  OutboxRows outbox;
};

}  // namespace

// Destroyed from the bottom up: threads first, then statements, then connections; the writer's
// connection last, so that it can empty the log and remove it.
struct SqliteStore::Parts {
  Parts(Connections open, const SqliteOptions& options)
      : writer_db(std::move(open.writer)),
        reader_db(std::move(open.reader)),
        known(options.known_keys_bytes),
        tables(*writer_db),
        views(*reader_db),
        checkpointer(*writer_db, std::move(open.checkpointer), options.checkpoint_bytes,
                     options.log != nullptr ? *options.log : no_log),
        reader(*reader_db),
        writer(*writer_db, {.undone = [this] { tables.jobs.forget(); },
                            .committed = [this] { checkpointer.after_commit(); }}) {}

  NoLog no_log;
  Db writer_db;
  Db reader_db;
  Known known;
  Tables tables;
  Views views;
  Checkpointer checkpointer;
  ReadThread reader;
  GroupWriter writer;
};

namespace {

// Keys become known only when they are durable.
struct CommitWork {
  Tables& tables;
  Known& known;
  PageResult page;

  Result<CommitReceipt> operator()() {
    auto receipt = tables.commit(page);
    if (!receipt) return std::move(receipt).error().during("commit " + page.lease.task.url);
    return receipt;
  }

  // What was ignored (a repetition, an unchanged or skipped page) is not known to be stored.
  void committed(const CommitReceipt& receipt) {
    if (receipt.repeated || page.unchanged) return;
    std::vector<Hash128> keys;
    keys.reserve(page.new_items.size());
    for (const KeyedItem& item : page.new_items) keys.push_back(item.key);
    known.keys.add(page.job, keys);
    if (page.snapshot && page.outcome == TaskState::done)
      known.add_content(page.snapshot->content_hash);
  }
};

}  // namespace

SqliteStore::SqliteStore(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
SqliteStore::~SqliteStore() = default;

Result<std::unique_ptr<SqliteStore>> SqliteStore::open(const std::filesystem::path& file,
                                                       const SqliteOptions& options) {
  auto connections = connect(file, options);
  if (!connections) return std::move(connections).error().during("open the store");
  auto parts = std::make_unique<Parts>(std::move(*connections), options);
  return std::unique_ptr<SqliteStore>(new SqliteStore(std::move(parts)));
}

Async<Status> SqliteStore::remember_job(JobName job) {
  return write_through<Done>(parts_->writer, [&tables = parts_->tables, job = std::move(job)] {
    return tables.jobs.remember(job);
  });
}

Async<Status> SqliteStore::begin_run(Run run, std::vector<std::string> urls) {
  return write_through<Done>(
      parts_->writer, [&tables = parts_->tables, run = std::move(run), urls = std::move(urls)] {
        return tables.tasks.begin_run(run, urls);
      });
}

Async<Result<TaskBatch>> SqliteStore::lease_tasks(RunId run, std::size_t max, WallTime now) {
  return write_through<TaskBatch>(parts_->writer,
                                  [&tables = parts_->tables, run = std::move(run), max, now] {
                                    return tables.tasks.lease(run, max, now);
                                  });
}

Async<Result<CommitReceipt>> SqliteStore::commit(PageResult page) {
  return write_through<CommitReceipt>(parts_->writer,
                                      CommitWork{parts_->tables, parts_->known, std::move(page)});
}

Async<Status> SqliteStore::postpone(TaskRetry retry) {
  return write_through<Done>(parts_->writer, [&tables = parts_->tables, retry = std::move(retry)] {
    return tables.tasks.postpone(retry);
  });
}

Async<Status> SqliteStore::bury(TaskDeath death) {
  return write_through<Done>(parts_->writer, [&tables = parts_->tables, death = std::move(death)] {
    return tables.tasks.bury(death);
  });
}

Async<Status> SqliteStore::release_leases(RunId run) {
  return write_through<Done>(parts_->writer, [&tables = parts_->tables, run = std::move(run)] {
    return tables.tasks.release(run);
  });
}

Async<Result<Run>> SqliteStore::end_run(RunId run, RunState state, std::vector<RunError> errors,
                                        WallTime now) {
  return write_through<Run>(parts_->writer, [&tables = parts_->tables, run = std::move(run), state,
                                             errors = std::move(errors), now] {
    return tables.tasks.end_run(run, state, errors, now);
  });
}

Async<Result<std::vector<Run>>> SqliteStore::unfinished_runs() {
  return read_through<std::vector<Run>>(
      parts_->reader, [&views = parts_->views] { return views.runs.unfinished(); });
}

Async<Result<std::optional<PageMemory>>> SqliteStore::recall_page(JobId job, std::string url) {
  using Answer = Result<std::optional<PageMemory>>;
  auto recall = [&views = parts_->views, job = std::move(job), url = std::move(url)]() -> Answer {
    auto job_number = views.jobs.find(job);
    if (!job_number) return std::move(job_number).error();
    auto url_number = views.pages.find_url(url);
    if (!url_number) return std::move(url_number).error();
    auto page = views.pages.find(*job_number, *url_number);
    if (!page) return std::move(page).error();
    if (!*page) return std::optional<PageMemory>();
    return std::optional((*page)->memory);
  };
  return read_through<std::optional<PageMemory>>(parts_->reader, std::move(recall));
}

Async<Result<std::optional<std::string>>> SqliteStore::newest_body(JobId job, std::string url) {
  using Answer = Result<std::optional<std::string>>;
  auto read = [&views = parts_->views, job = std::move(job), url = std::move(url)]() -> Answer {
    auto job_number = views.jobs.find(job);
    if (!job_number) return std::move(job_number).error();
    return views.bodies.newest(*job_number, url);
  };
  return read_through<std::optional<std::string>>(parts_->reader, std::move(read));
}

Async<Result<KnownAnswer>> SqliteStore::what_is_known(KnownQuery query) {
  KnownAnswer answer;
  const std::size_t hits = parts_->known.keys.find(query.job, query.keys, answer.keys);
  answer.content = query.content && parts_->known.has_content(*query.content);
  const bool asks_for_content = query.content && !answer.content;
  if (hits == query.keys.size() && !asks_for_content) co_return answer;

  auto look_up = [&parts = *parts_, query = std::move(query),
                  answer = std::move(answer)]() mutable -> Result<KnownAnswer> {
    const std::vector<bool> cached = answer.keys;
    auto done = parts.views.known.look_up(query, answer);
    if (!done) return std::move(done).error();
    std::vector<Hash128> found;
    for (std::size_t i = 0; i < query.keys.size(); ++i)
      if (answer.keys[i] && !cached[i]) found.push_back(query.keys[i]);
    parts.known.keys.add(query.job, found);
    if (query.content && answer.content) parts.known.add_content(*query.content);
    return std::move(answer);
  };
  auto question = read_through<KnownAnswer>(parts_->reader, std::move(look_up));
  co_return co_await std::move(question);
}

Async<Result<std::vector<Delivery>>> SqliteStore::due_deliveries(WallTime now, std::size_t max) {
  return read_through<std::vector<Delivery>>(
      parts_->reader, [&views = parts_->views, now, max] { return views.outbox.due(now, max); });
}

Async<Status> SqliteStore::delivered(DeliveryId id, WallTime now) {
  return write_through<Done>(parts_->writer, [&tables = parts_->tables, id = std::move(id), now] {
    return tables.outbox.delivered(id, now);
  });
}

Async<Status> SqliteStore::postpone_delivery(DeliveryId id, WallTime due_at, std::string error) {
  return write_through<Done>(parts_->writer, [&tables = parts_->tables, id = std::move(id), due_at,
                                              error = std::move(error)] {
    return tables.outbox.postpone(id, due_at, error);
  });
}

Async<Status> SqliteStore::bury_delivery(DeliveryId id, WallTime now, std::string error) {
  return write_through<Done>(
      parts_->writer, [&tables = parts_->tables, id = std::move(id), now,
                       error = std::move(error)] { return tables.outbox.bury(id, now, error); });
}

}  // namespace heddle::store

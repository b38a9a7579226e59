#include "store/sqlite/sqlite_queries.hpp"

#include <mutex>
#include <unordered_map>
#include <utility>

#include "store/sqlite/core/connection.hpp"
#include "store/sqlite/core/read_thread.hpp"
#include "store/sqlite/core/sqlite_calls.hpp"
#include "store/sqlite/retention/history_sizes.hpp"
#include "store/sqlite/tables/alert_table.hpp"
#include "store/sqlite/tables/job_numbers.hpp"
#include "store/sqlite/tables/job_status_table.hpp"
#include "store/sqlite/tables/load_rows.hpp"
#include "store/sqlite/tables/note_table.hpp"
#include "store/sqlite/tables/outbox_table.hpp"
#include "store/sqlite/tables/pages/body_rows.hpp"
#include "store/sqlite/tables/pages/known_key_cache.hpp"
#include "store/sqlite/tables/pages/known_rows.hpp"
#include "store/sqlite/tables/pages/page_rows.hpp"
#include "store/sqlite/tables/program_table.hpp"
#include "store/sqlite/tables/run_table.hpp"

namespace heddle::store {

namespace {

constexpr std::size_t kKnownContentsBytes = 1u << 20;

// Caches keys and contents that are certainly stored. Thread-safe.
class KnownDataCache {
 public:
  explicit KnownDataCache(std::size_t key_bytes)
      : keys_(key_bytes), contents_(kKnownContentsBytes) {}

  // Keys belong to a job's number, not its id: a deleted job and a new one with the same id share
  // nothing.
  void set_number(const JobId& job, std::int64_t number) {
    const std::lock_guard lock(mutex_);
    numbers_[job] = number;
  }
  void forget_number(const JobId& job) {
    const std::lock_guard lock(mutex_);
    numbers_.erase(job);
  }

  std::size_t find_keys(const KnownQuery& query, std::vector<bool>& found) const {
    const auto owner = owner_of(query.job);
    if (owner) return keys_.find(*owner, query.keys, found);
    found.assign(query.keys.size(), false);
    return 0;
  }
  void add_keys(const JobId& job, const std::vector<Hash128>& keys) {
    if (const auto owner = owner_of(job)) keys_.add(*owner, keys);
  }

  [[nodiscard]] bool has_content(const Hash128& content) const {
    std::vector<bool> found;
    return contents_.find({}, {&content, 1}, found) == 1;
  }
  void add_content(const Hash128& content) { contents_.add({}, {&content, 1}); }
  void forget_contents(const std::vector<Hash128>& contents) { contents_.forget({}, contents); }

 private:
  [[nodiscard]] std::optional<JobId> owner_of(const JobId& job) const {
    const std::lock_guard lock(mutex_);
    const auto found = numbers_.find(job);
    if (found == numbers_.end()) return std::nullopt;
    return JobId{"number " + std::to_string(found->second)};
  }

  mutable std::mutex mutex_;
  std::unordered_map<JobId, std::int64_t> numbers_;
  KnownKeyCache keys_;
  KnownKeyCache contents_;  // independent of jobs
};

// The tables of the reader thread.
struct ReaderTables {
  explicit ReaderTables(Connection& db)
      : jobs(db),
        statuses(db),
        runs(db),
        pages(db),
        bodies(db),
        known(db, jobs),
        outbox(db),
        load(db),
        alerts(db),
        notes(db),
        programs(db),
        sizes(db) {}
  JobNumbers jobs;
  JobStatusRows statuses;
  RunRows runs;
  PageRows pages;
  BodyRows bodies;
  KnownRows known;
  OutboxRows outbox;
  LoadRows load;
  AlertRows alerts;
  NoteRows notes;
  ProgramRows programs;
  HistorySizes sizes;
};

}  // namespace

// Destroyed in reverse order: the thread first, then statements, then the connection.
struct SqliteQueries::Parts {
  Parts(std::unique_ptr<Connection> open, const QueryOptions& options)
      : db(std::move(open)), known(options.known_keys_bytes), tables(*db), reader(*db) {}

  std::unique_ptr<Connection> db;
  KnownDataCache known;
  ReaderTables tables;
  ReadThread reader;
};

SqliteQueries::SqliteQueries(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
SqliteQueries::~SqliteQueries() = default;

Result<std::unique_ptr<SqliteQueries>> SqliteQueries::open(const std::filesystem::path& file,
                                                           const QueryOptions& options) {
  auto db = Connection::open(
      file, {.read_only = true, .cache_bytes = options.cache_bytes, .vfs = options.vfs});
  if (!db) return std::move(db).error();
  auto parts = std::make_unique<Parts>(std::move(*db), options);
  return std::unique_ptr<SqliteQueries>(new SqliteQueries(std::move(parts)));
}

Async<Result<std::optional<PageMemory>>> SqliteQueries::recall_page(JobId job, std::string url) {
  using Answer = Result<std::optional<PageMemory>>;
  auto recall = [&tables = parts_->tables, job = std::move(job), url = std::move(url)]() -> Answer {
    auto job_number = tables.jobs.find(job);
    if (!job_number) return std::move(job_number).error();
    auto url_number = tables.pages.find_url(url);
    if (!url_number) return std::move(url_number).error();
    auto page = tables.pages.find(*job_number, *url_number);
    if (!page) return std::move(page).error();
    if (!*page) return std::optional<PageMemory>();
    auto takes_over = tables.known.takes_over_items(*job_number, (*page)->id);
    if (!takes_over) return std::move(takes_over).error();
    PageMemory memory = std::move((*page)->memory);
    if (*takes_over) {
      memory.etag.clear();
      memory.last_modified.clear();
      memory.body_hash = {};
      memory.text_hash = {};
    }
    return std::optional(std::move(memory));
  };
  return read_through<std::optional<PageMemory>>(parts_->reader, std::move(recall));
}

Async<Result<std::optional<std::string>>> SqliteQueries::newest_body(JobId job, std::string url) {
  using Answer = Result<std::optional<std::string>>;
  auto read = [&tables = parts_->tables, job = std::move(job), url = std::move(url)]() -> Answer {
    auto job_number = tables.jobs.find(job);
    if (!job_number) return std::move(job_number).error();
    return tables.bodies.newest(*job_number, url);
  };
  return read_through<std::optional<std::string>>(parts_->reader, std::move(read));
}

Async<Result<KnownAnswer>> SqliteQueries::find_known(KnownQuery query) {
  KnownAnswer answer;
  const std::size_t hits = parts_->known.find_keys(query, answer.keys);
  answer.content = query.content && parts_->known.has_content(*query.content);
  const bool asks_for_content = query.content && !answer.content;
  if (hits == query.keys.size() && !asks_for_content && !query.items_for) co_return answer;

  auto look_up = [&parts = *parts_, query = std::move(query),
                  answer = std::move(answer)]() mutable -> Result<KnownAnswer> {
    const std::vector<bool> cached = answer.keys;
    auto done = parts.tables.known.look_up(query, answer);
    if (!done) return std::move(done).error();
    std::vector<Hash128> found;
    for (std::size_t i = 0; i < query.keys.size(); ++i)
      if (answer.keys[i] && !cached[i]) found.push_back(query.keys[i]);
    auto number = parts.tables.jobs.find(query.job);
    if (!number) return std::move(number).error();
    if (*number != 0) parts.known.set_number(query.job, *number);
    parts.known.add_keys(query.job, found);
    if (query.content && answer.content) parts.known.add_content(*query.content);
    return std::move(answer);
  };
  auto pending = read_through<KnownAnswer>(parts_->reader, std::move(look_up));
  co_return co_await std::move(pending);
}

Async<Status> SqliteQueries::refresh_job(JobId job) {
  auto look_up = [&parts = *parts_, job = std::move(job)]() -> Status {
    parts.tables.jobs.forget(job);
    auto number = parts.tables.jobs.find(job);
    if (!number) return std::move(number).error();
    if (*number != 0)
      parts.known.set_number(job, *number);
    else
      parts.known.forget_number(job);
    return Done{};
  };
  return read_through<Done>(parts_->reader, std::move(look_up));
}

void SqliteQueries::set_number(const JobId& job, std::int64_t number) {
  parts_->known.set_number(job, number);
}

void SqliteQueries::forget_contents(const std::vector<Hash128>& contents) {
  parts_->known.forget_contents(contents);
}

Async<Result<MeasuredBatch>> SqliteQueries::measure(HistoryClass what, std::int64_t after) {
  return read_through<MeasuredBatch>(parts_->reader, [&tables = parts_->tables, what, after] {
    return tables.sizes.measure(what, after);
  });
}

Async<Result<std::optional<std::string>>> SqliteQueries::find_note(std::string name) {
  return read_through<std::optional<std::string>>(
      parts_->reader,
      [&tables = parts_->tables, name = std::move(name)] { return tables.notes.find(name); });
}

Async<Result<std::vector<JobStatus>>> SqliteQueries::job_statuses() {
  return read_through<std::vector<JobStatus>>(
      parts_->reader, [&tables = parts_->tables] { return tables.statuses.all(); });
}

Async<Result<std::vector<Run>>> SqliteQueries::unfinished_runs() {
  return read_through<std::vector<Run>>(
      parts_->reader, [&tables = parts_->tables] { return tables.runs.unfinished(); });
}

Async<Result<ProgramHistory>> SqliteQueries::program_history(RunId run) {
  return read_through<ProgramHistory>(
      parts_->reader,
      [&tables = parts_->tables, run = std::move(run)] { return tables.programs.of(run); });
}

Async<Result<std::optional<Run>>> SqliteQueries::find_run(RunId run) {
  return read_through<std::optional<Run>>(
      parts_->reader,
      [&tables = parts_->tables, run = std::move(run)] { return tables.runs.find(run); });
}

Async<Result<JobUsage>> SqliteQueries::usage_since(JobId job, WallTime since) {
  auto read = [&tables = parts_->tables, job = std::move(job), since]() -> Result<JobUsage> {
    auto number = tables.jobs.find(job);
    if (!number) return std::move(number).error();
    return tables.runs.usage_since(*number, since);
  };
  return read_through<JobUsage>(parts_->reader, std::move(read));
}

Async<Result<std::vector<RunFigures>>> SqliteQueries::recent_runs(JobId job, std::size_t max) {
  using Answer = Result<std::vector<RunFigures>>;
  auto read = [&tables = parts_->tables, job = std::move(job), max]() -> Answer {
    auto number = tables.jobs.find(job);
    if (!number) return std::move(number).error();
    return tables.load.recent_runs(*number, max);
  };
  return read_through<std::vector<RunFigures>>(parts_->reader, std::move(read));
}

Async<Result<SystemLoad>> SqliteQueries::system_load(WallTime dead_letters_since) {
  return read_through<SystemLoad>(parts_->reader, [&tables = parts_->tables, dead_letters_since] {
    return tables.load.system_load(dead_letters_since);
  });
}

Async<Result<std::vector<SystemAlert>>> SqliteQueries::alerts() {
  return read_through<std::vector<SystemAlert>>(
      parts_->reader, [&tables = parts_->tables] { return tables.alerts.all(); });
}

Async<Result<std::vector<Delivery>>> SqliteQueries::due_deliveries(WallTime now, std::size_t max) {
  return read_through<std::vector<Delivery>>(
      parts_->reader, [&tables = parts_->tables, now, max] { return tables.outbox.due(now, max); });
}

Async<Result<OutboxCounts>> SqliteQueries::outbox_counts(JobId job) {
  auto read = [&tables = parts_->tables, job = std::move(job)]() -> Result<OutboxCounts> {
    auto number = tables.jobs.find(job);
    if (!number) return std::move(number).error();
    return tables.outbox.counts(*number);
  };
  return read_through<OutboxCounts>(parts_->reader, std::move(read));
}

void SqliteQueries::remember(const PageResult& committed, const CommitReceipt& receipt) {
  // Ignored results (repeated, unchanged or skipped pages) are not certainly stored.
  if (receipt.repeated || committed.unchanged) return;
  std::vector<Hash128> keys;
  keys.reserve(committed.new_items.size());
  for (const KeyedItem& item : committed.new_items) keys.push_back(item.key);
  parts_->known.add_keys(committed.job, keys);
  if (committed.snapshot && committed.outcome == TaskState::done)
    parts_->known.add_content(committed.snapshot->content_hash);
}

}  // namespace heddle::store

#include "store/sqlite/sqlite_views.hpp"

#include <mutex>
#include <unordered_map>
#include <utility>

#include "store/sqlite/alert_table.hpp"
#include "store/sqlite/body_rows.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/history_sizes.hpp"
#include "store/sqlite/job_numbers.hpp"
#include "store/sqlite/known_keys.hpp"
#include "store/sqlite/known_rows.hpp"
#include "store/sqlite/life_table.hpp"
#include "store/sqlite/load_rows.hpp"
#include "store/sqlite/note_table.hpp"
#include "store/sqlite/outbox_table.hpp"
#include "store/sqlite/page_rows.hpp"
#include "store/sqlite/program_table.hpp"
#include "store/sqlite/read_thread.hpp"
#include "store/sqlite/run_rows.hpp"
#include "store/sqlite/sqlite_calls.hpp"

namespace heddle::store {

namespace {

constexpr std::size_t kKnownContentsBytes = 1u << 20;

// What is certainly stored, so that it need not be asked for. Thread-safe.
class Known {
 public:
  explicit Known(std::size_t key_bytes) : keys_(key_bytes), contents_(kKnownContentsBytes) {}

  // Keys belong to a job's number, not to its id: a deleted job and a new one of the same id have
  // nothing in common.
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
  KnownKeys keys_;
  KnownKeys contents_;  // of no particular job
};

// What the reader thread uses.
struct Views {
  explicit Views(Connection& db)
      : jobs(db),
        lives(db),
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
  LifeRows lives;
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

// Destroyed from the bottom up: the thread first, then statements, then the connection.
struct SqliteViews::Parts {
  Parts(std::unique_ptr<Connection> open, const ViewOptions& options)
      : db(std::move(open)), known(options.known_keys_bytes), views(*db), reader(*db) {}

  std::unique_ptr<Connection> db;
  Known known;
  Views views;
  ReadThread reader;
};

SqliteViews::SqliteViews(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
SqliteViews::~SqliteViews() = default;

Result<std::unique_ptr<SqliteViews>> SqliteViews::open(const std::filesystem::path& file,
                                                       const ViewOptions& options) {
  auto db = Connection::open(
      file, {.read_only = true, .cache_bytes = options.cache_bytes, .vfs = options.vfs});
  if (!db) return std::move(db).error();
  auto parts = std::make_unique<Parts>(std::move(*db), options);
  return std::unique_ptr<SqliteViews>(new SqliteViews(std::move(parts)));
}

Async<Result<std::optional<PageMemory>>> SqliteViews::recall_page(JobId job, std::string url) {
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

Async<Result<std::optional<std::string>>> SqliteViews::newest_body(JobId job, std::string url) {
  using Answer = Result<std::optional<std::string>>;
  auto read = [&views = parts_->views, job = std::move(job), url = std::move(url)]() -> Answer {
    auto job_number = views.jobs.find(job);
    if (!job_number) return std::move(job_number).error();
    return views.bodies.newest(*job_number, url);
  };
  return read_through<std::optional<std::string>>(parts_->reader, std::move(read));
}

Async<Result<KnownAnswer>> SqliteViews::what_is_known(KnownQuery query) {
  KnownAnswer answer;
  const std::size_t hits = parts_->known.find_keys(query, answer.keys);
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
    auto number = parts.views.jobs.find(query.job);
    if (!number) return std::move(number).error();
    if (*number != 0) parts.known.set_number(query.job, *number);
    parts.known.add_keys(query.job, found);
    if (query.content && answer.content) parts.known.add_content(*query.content);
    return std::move(answer);
  };
  auto question = read_through<KnownAnswer>(parts_->reader, std::move(look_up));
  co_return co_await std::move(question);
}

Async<Status> SqliteViews::look_up_anew(JobId job) {
  auto look_up = [&parts = *parts_, job = std::move(job)]() -> Status {
    parts.views.jobs.forget(job);
    auto number = parts.views.jobs.find(job);
    if (!number) return std::move(number).error();
    if (*number != 0)
      parts.known.set_number(job, *number);
    else
      parts.known.forget_number(job);
    return Done{};
  };
  return read_through<Done>(parts_->reader, std::move(look_up));
}

void SqliteViews::set_number(const JobId& job, std::int64_t number) {
  parts_->known.set_number(job, number);
}

void SqliteViews::forget_contents(const std::vector<Hash128>& contents) {
  parts_->known.forget_contents(contents);
}

Async<Result<MeasuredPiece>> SqliteViews::measure(HistoryClass what, std::int64_t after) {
  return read_through<MeasuredPiece>(parts_->reader, [&views = parts_->views, what, after] {
    return views.sizes.measure(what, after);
  });
}

Async<Result<std::optional<std::string>>> SqliteViews::find_note(std::string name) {
  return read_through<std::optional<std::string>>(
      parts_->reader,
      [&views = parts_->views, name = std::move(name)] { return views.notes.find(name); });
}

Async<Result<std::vector<JobLife>>> SqliteViews::job_lives() {
  return read_through<std::vector<JobLife>>(parts_->reader,
                                            [&views = parts_->views] { return views.lives.all(); });
}

Async<Result<std::vector<Run>>> SqliteViews::unfinished_runs() {
  return read_through<std::vector<Run>>(
      parts_->reader, [&views = parts_->views] { return views.runs.unfinished(); });
}

Async<Result<ProgramHistory>> SqliteViews::program_history(RunId run) {
  return read_through<ProgramHistory>(
      parts_->reader,
      [&views = parts_->views, run = std::move(run)] { return views.programs.of(run); });
}

Async<Result<std::optional<Run>>> SqliteViews::find_run(RunId run) {
  return read_through<std::optional<Run>>(
      parts_->reader,
      [&views = parts_->views, run = std::move(run)] { return views.runs.find(run); });
}

Async<Result<JobUsage>> SqliteViews::usage_since(JobId job, WallTime since) {
  auto read = [&views = parts_->views, job = std::move(job), since]() -> Result<JobUsage> {
    auto number = views.jobs.find(job);
    if (!number) return std::move(number).error();
    return views.runs.usage_since(*number, since);
  };
  return read_through<JobUsage>(parts_->reader, std::move(read));
}

Async<Result<std::vector<RunFigures>>> SqliteViews::recent_runs(JobId job, std::size_t max) {
  using Answer = Result<std::vector<RunFigures>>;
  auto read = [&views = parts_->views, job = std::move(job), max]() -> Answer {
    auto number = views.jobs.find(job);
    if (!number) return std::move(number).error();
    return views.load.recent_runs(*number, max);
  };
  return read_through<std::vector<RunFigures>>(parts_->reader, std::move(read));
}

Async<Result<SystemLoad>> SqliteViews::system_load(WallTime letters_since) {
  return read_through<SystemLoad>(parts_->reader, [&views = parts_->views, letters_since] {
    return views.load.system_load(letters_since);
  });
}

Async<Result<std::vector<SystemAlert>>> SqliteViews::alerts() {
  return read_through<std::vector<SystemAlert>>(
      parts_->reader, [&views = parts_->views] { return views.alerts.all(); });
}

Async<Result<std::vector<Delivery>>> SqliteViews::due_deliveries(WallTime now, std::size_t max) {
  return read_through<std::vector<Delivery>>(
      parts_->reader, [&views = parts_->views, now, max] { return views.outbox.due(now, max); });
}

void SqliteViews::remember(const PageResult& committed, const CommitReceipt& receipt) {
  // What was ignored (a repetition, an unchanged or skipped page) is not known to be stored.
  if (receipt.repeated || committed.unchanged) return;
  std::vector<Hash128> keys;
  keys.reserve(committed.new_items.size());
  for (const KeyedItem& item : committed.new_items) keys.push_back(item.key);
  parts_->known.add_keys(committed.job, keys);
  if (committed.snapshot && committed.outcome == TaskState::done)
    parts_->known.add_content(committed.snapshot->content_hash);
}

}  // namespace heddle::store

// Answers the store's read queries on a read-only connection with its own thread, for the owner of
// the file and for worker processes. Sees everything committed before a call and never waits for
// the writer. Thread-safe; no call may begin once it is destroyed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/job/job_status.hpp"
#include "store/history.hpp"
#include "store/page_queries.hpp"
#include "store/run_journal.hpp"
#include "store/store.hpp"

namespace heddle::store {

struct QueryOptions {
  std::size_t cache_bytes = 4u << 20;
  std::size_t known_keys_bytes = 8u << 20;  // see known_key_cache.hpp
  std::string vfs{};                        // SQLite VFS; empty: the default
};

class SqliteQueries final : public PageQueries {
 public:
  // The file must exist with the current schema.
  static Result<std::unique_ptr<SqliteQueries>> open(const std::filesystem::path& file,
                                                     const QueryOptions& options = {});
  ~SqliteQueries() override;
  SqliteQueries(const SqliteQueries&) = delete;
  SqliteQueries& operator=(const SqliteQueries&) = delete;

  Async<Result<std::optional<PageMemory>>> recall_page(JobId job, std::string url) override;
  Async<Result<std::optional<std::string>>> newest_body(JobId job, std::string url) override;
  Async<Result<KnownAnswer>> find_known(KnownQuery query) override;
  void remember(const PageResult& committed, const CommitReceipt& receipt) override;

  Async<Status> refresh_job(JobId job) override;

  // Sets the number of the job whose keys remember() caches. Thread-safe.
  void set_number(const JobId& job, std::int64_t number);
  // Call when contents were removed. Thread-safe.
  void forget_contents(const std::vector<Hash128>& contents);

  // As in History.
  Async<Result<MeasuredBatch>> measure(HistoryClass what, std::int64_t after);
  Async<Result<std::optional<std::string>>> find_note(std::string name);

  // As in Store.
  Async<Result<std::vector<JobStatus>>> job_statuses();
  Async<Result<std::vector<Run>>> unfinished_runs();
  Async<Result<ProgramHistory>> program_history(RunId run);  // as in RunJournal
  Async<Result<std::optional<Run>>> find_run(RunId run);
  Async<Result<JobUsage>> usage_since(JobId job, WallTime since);
  Async<Result<std::vector<RunFigures>>> recent_runs(JobId job, std::size_t max);
  Async<Result<SystemLoad>> system_load(WallTime dead_letters_since);
  Async<Result<std::vector<SystemAlert>>> alerts();
  Async<Result<std::vector<Delivery>>> due_deliveries(WallTime now, std::size_t max);
  Async<Result<OutboxCounts>> outbox_counts(JobId job);

 private:
  struct Parts;
  explicit SqliteQueries(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace heddle::store

// Implements Store on one SQLite file with one writer thread (group commit) and one reader thread.
// Thread-safe. Destroying it finishes queued calls; no call may begin after that.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/log/log.hpp"
#include "store/history.hpp"
#include "store/imported_item.hpp"
#include "store/run_journal.hpp"
#include "store/sqlite/retention/batch_pacer.hpp"
#include "store/store.hpp"

namespace heddle::store {

struct SqliteOptions {
  std::size_t cache_bytes = 32u << 20;         // page cache of the writer
  std::size_t known_keys_bytes = 8u << 20;     // see known_key_cache.hpp
  std::size_t checkpoint_bytes = 16u << 20;    // WAL size that triggers a checkpoint
  std::chrono::milliseconds idle_after{5000};  // truncate the WAL after this long without a write
  std::size_t max_file_bytes = 0;              // 0: limited by the disk only
  std::string vfs{};                           // SQLite VFS; empty: the default
  Log* log = nullptr;                          // outlives the store; gets background failures
  // Called on the writer thread with the time each group took to become durable.
  std::function<void(std::chrono::nanoseconds)> on_commit{};
};

class SqliteStore final : public Store, public History, public RunJournal {
 public:
  // Creates a missing file and upgrades an older schema (a backup of the old file is kept). The
  // folder must exist.
  static Result<std::unique_ptr<SqliteStore>> open(const std::filesystem::path& file,
                                                   const SqliteOptions& options = {});
  ~SqliteStore() override;
  SqliteStore(const SqliteStore&) = delete;
  SqliteStore& operator=(const SqliteStore&) = delete;

  Async<Status> put_job_name(JobName job) override;
  Async<Status> change_job(JobChange change) override;
  Async<Result<std::vector<JobStatus>>> job_statuses() override;
  Async<Status> begin_deletion(JobId job, WallTime now) override;
  Async<Status> begin_run(Run run, std::vector<std::string> urls) override;
  Async<Result<TaskBatch>> lease_tasks(RunId run, std::size_t max, WallTime now) override;
  Async<Result<CommitReceipt>> commit(PageResult page) override;
  Async<Status> postpone(TaskRetry retry) override;
  Async<Status> dead_letter(TaskDeath death) override;
  Async<Status> charge(RunId run, PageCost cost) override;
  Async<Status> release_leases(RunId run) override;
  Async<Status> mark_run(RunId run, RunState state) override;
  Async<Result<Run>> end_run(RunId run, RunState state, std::vector<RunError> errors,
                             WallTime now) override;
  Async<Result<std::vector<Run>>> unfinished_runs() override;
  Async<Result<std::optional<Run>>> find_run(RunId run) override;
  Async<Result<JobUsage>> usage_since(JobId job, WallTime since) override;
  Async<Result<std::vector<RunFigures>>> recent_runs(JobId job, std::size_t max) override;
  Async<Result<OutboxCounts>> outbox_counts(JobId job) override;
  Async<Result<SystemLoad>> system_load(WallTime dead_letters_since) override;
  Async<Status> change_alert(AlertChange change) override;
  Async<Result<std::vector<SystemAlert>>> alerts() override;
  Async<Result<std::optional<PageMemory>>> recall_page(JobId job, std::string url) override;
  Async<Result<std::optional<std::string>>> newest_body(JobId job, std::string url) override;
  Async<Result<KnownAnswer>> find_known(KnownQuery query) override;
  Async<Status> shift_waits(std::chrono::milliseconds by) override;
  Async<Status> restart_waits_after(WallTime now) override;
  Async<Result<std::vector<Delivery>>> due_deliveries(WallTime now, std::size_t max) override;
  Async<Status> delivered(DeliveryId id, WallTime now) override;
  Async<Status> postpone_delivery(DeliveryId id, DeliveryWait wait, std::string error) override;
  Async<Status> dead_letter_delivery(DeliveryId id, WallTime now, std::string error) override;
  Async<Result<std::int64_t>> begin_run_of_dead_letters(
      Run run, std::vector<DeadLetterId> dead_letters) override;
  Async<Status> resend_dead_letters(std::vector<DeadLetterId> dead_letters, WallTime now) override;
  Async<Result<std::int64_t>> purge_dead_letters(std::vector<DeadLetterId> dead_letters,
                                                 WallTime now) override;

  Async<Result<SweepBatch>> sweep(SweepRequest request) override;
  Async<Result<MeasuredBatch>> measure(HistoryClass what, std::int64_t after) override;
  Async<Result<bool>> release_space() override;
  Async<Status> truncate_wal() override;
  void set_wal_limit(std::int64_t bytes) override;
  Async<Result<bool>> continue_deletions() override;
  Async<Result<std::optional<std::string>>> find_note(std::string name) override;
  Async<Status> put_note(Note note, WallTime now) override;

  // Stores the items in one transaction, as no longer on a page, so that they are not new when a
  // page lists them. Returns how many the jobs did not have. When `next` fails nothing is stored.
  Async<Result<std::int64_t>> import_items(NextImportedItem next);

  Async<Status> record_process(ProcessRecord process) override;
  Async<Status> record_hook(HookRecord hook) override;
  Async<Status> record_stage(RunId run, RunStageRecord stage_record) override;
  Async<Result<ProgramHistory>> program_history(RunId run) override;

  // Cost of maintenance batches since the store was opened.
  [[nodiscard]] BatchFigures maintenance_figures() const;

 private:
  struct Parts;
  explicit SqliteStore(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace heddle::store

// The Store on one SQLite file: one writer thread with group commit, one reader thread.
// Thread-safe. Destroying it finishes what is queued; calls must not begin after that.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "store/history.hpp"
#include "store/run_journal.hpp"
#include "store/sqlite/piece_pacer.hpp"
#include "store/store.hpp"

namespace heddle::store {

struct SqliteOptions {
  std::size_t cache_bytes = 32u << 20;          // pages kept by the writer
  std::size_t known_keys_bytes = 8u << 20;      // see known_keys.hpp
  std::size_t checkpoint_bytes = 16u << 20;     // log size at which it flows back into the file
  std::chrono::milliseconds quiet_after{5000};  // without a write the log is cut to nothing
  std::size_t max_file_bytes = 0;               // 0: no limit but the disk
  std::string vfs{};                            // SQLite's file layer; empty: the system's
  Log* log = nullptr;                           // outlives the store; told of what nobody waits for
  // Told on the writer's thread how long each group of writes took to become durable.
  std::function<void(std::chrono::nanoseconds)> on_commit{};
};

class SqliteStore final : public Store, public History, public RunJournal {
 public:
  // Creates the file when it is missing and brings an older schema up to date (a copy of the old
  // file stays beside it). The folder must exist.
  static Result<std::unique_ptr<SqliteStore>> open(const std::filesystem::path& file,
                                                   const SqliteOptions& options = {});
  ~SqliteStore() override;
  SqliteStore(const SqliteStore&) = delete;
  SqliteStore& operator=(const SqliteStore&) = delete;

  Async<Status> remember_job(JobName job) override;
  Async<Status> change_job(JobChange change) override;
  Async<Result<std::vector<JobLife>>> job_lives() override;
  Async<Status> begin_deletion(JobId job, WallTime now) override;
  Async<Status> begin_run(Run run, std::vector<std::string> urls) override;
  Async<Result<TaskBatch>> lease_tasks(RunId run, std::size_t max, WallTime now) override;
  Async<Result<CommitReceipt>> commit(PageResult page) override;
  Async<Status> postpone(TaskRetry retry) override;
  Async<Status> bury(TaskDeath death) override;
  Async<Status> charge(RunId run, PageCost cost) override;
  Async<Status> release_leases(RunId run) override;
  Async<Status> mark_run(RunId run, RunState state) override;
  Async<Result<Run>> end_run(RunId run, RunState state, std::vector<RunError> errors,
                             WallTime now) override;
  Async<Result<std::vector<Run>>> unfinished_runs() override;
  Async<Result<std::optional<Run>>> find_run(RunId run) override;
  Async<Result<JobUsage>> usage_since(JobId job, WallTime since) override;
  Async<Result<std::vector<RunFigures>>> recent_runs(JobId job, std::size_t max) override;
  Async<Result<SystemLoad>> system_load(WallTime letters_since) override;
  Async<Status> change_alert(AlertChange change) override;
  Async<Result<std::vector<SystemAlert>>> alerts() override;
  Async<Result<std::optional<PageMemory>>> recall_page(JobId job, std::string url) override;
  Async<Result<std::optional<std::string>>> newest_body(JobId job, std::string url) override;
  Async<Result<KnownAnswer>> what_is_known(KnownQuery query) override;
  Async<Result<std::vector<Delivery>>> due_deliveries(WallTime now, std::size_t max) override;
  Async<Status> delivered(DeliveryId id, WallTime now) override;
  Async<Status> postpone_delivery(DeliveryId id, WallTime due_at, std::string error) override;
  Async<Status> bury_delivery(DeliveryId id, WallTime now, std::string error) override;
  Async<Result<std::int64_t>> begin_run_of_letters(Run run, std::vector<LetterId> letters) override;
  Async<Status> resend_letters(std::vector<LetterId> letters, WallTime now) override;
  Async<Result<std::int64_t>> purge_letters(std::vector<LetterId> letters, WallTime now) override;

  Async<Result<SweptPiece>> sweep(SweepOrder order) override;
  Async<Result<MeasuredPiece>> measure(HistoryClass what, std::int64_t after) override;
  Async<Result<bool>> give_back_space() override;
  Async<Status> cut_log() override;
  void keep_log_within(std::int64_t bytes) override;
  Async<Result<bool>> continue_deletions() override;
  Async<Result<std::optional<std::string>>> find_note(std::string name) override;
  Async<Status> put_note(Note note, WallTime now) override;

  Async<Status> note_process(ProcessRecord process) override;
  Async<Status> note_hook(HookRecord hook) override;
  Async<Status> note_course(RunId run, RunCourse course) override;
  Async<Result<ProgramHistory>> program_history(RunId run) override;

  // What pieces of upkeep have cost since the store was opened.
  [[nodiscard]] PieceFigures upkeep_figures() const;

 private:
  struct Parts;
  explicit SqliteStore(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace heddle::store

// The reading half of the store: a read-only connection with a thread of its own, for the owner of
// the file as well as for a worker process beside it. Sees all that was committed before a question
// came, and never waits for the writer. Thread-safe; calls must not begin once it is destroyed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/job_life.hpp"
#include "store/history.hpp"
#include "store/page_views.hpp"
#include "store/run_journal.hpp"
#include "store/store.hpp"

namespace heddle::store {

struct ViewOptions {
  std::size_t cache_bytes = 4u << 20;
  std::size_t known_keys_bytes = 8u << 20;  // see known_keys.hpp
  std::string vfs{};                        // SQLite's file layer; empty: the system's
};

class SqliteViews final : public PageViews {
 public:
  // The file must be there, with the newest schema: its owner has seen to that.
  static Result<std::unique_ptr<SqliteViews>> open(const std::filesystem::path& file,
                                                   const ViewOptions& options = {});
  ~SqliteViews() override;
  SqliteViews(const SqliteViews&) = delete;
  SqliteViews& operator=(const SqliteViews&) = delete;

  Async<Result<std::optional<PageMemory>>> recall_page(JobId job, std::string url) override;
  Async<Result<std::optional<std::string>>> newest_body(JobId job, std::string url) override;
  Async<Result<KnownAnswer>> what_is_known(KnownQuery query) override;
  void remember(const PageResult& committed, const CommitReceipt& receipt) override;

  Async<Status> look_up_anew(JobId job) override;

  // Whose keys remember() adds: the job of this number. Thread-safe.
  void set_number(const JobId& job, std::int64_t number);
  // They are not kept any more. Thread-safe.
  void forget_contents(const std::vector<Hash128>& contents);

  // As in History.
  Async<Result<MeasuredPiece>> measure(HistoryClass what, std::int64_t after);
  Async<Result<std::optional<std::string>>> find_note(std::string name);

  // As in Store.
  Async<Result<std::vector<JobLife>>> job_lives();
  Async<Result<std::vector<Run>>> unfinished_runs();
  Async<Result<ProgramHistory>> program_history(RunId run);  // as in RunJournal
  Async<Result<std::optional<Run>>> find_run(RunId run);
  Async<Result<JobUsage>> usage_since(JobId job, WallTime since);
  Async<Result<std::vector<RunFigures>>> recent_runs(JobId job, std::size_t max);
  Async<Result<SystemLoad>> system_load(WallTime letters_since);
  Async<Result<std::vector<SystemAlert>>> alerts();
  Async<Result<std::vector<Delivery>>> due_deliveries(WallTime now, std::size_t max);

 private:
  struct Parts;
  explicit SqliteViews(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace heddle::store

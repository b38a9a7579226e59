// Reads a store's file, with or without a running writer. Long listings are read in batches, so
// that a slow caller never keeps the WAL from shrinking.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "store/reader.hpp"

namespace heddle::store {

class SqliteReader final : public Reader {
 public:
  // `not_found` when the file does not exist: nothing was ever stored.
  static Result<std::unique_ptr<SqliteReader>> open(const std::filesystem::path& file);
  ~SqliteReader() override;
  SqliteReader(const SqliteReader&) = delete;
  SqliteReader& operator=(const SqliteReader&) = delete;

  Result<std::vector<JobName>> jobs() override;
  Result<std::vector<JobStatus>> job_statuses() override;
  Result<std::vector<JobStatus>> failing_jobs() override;
  Status for_each_record(const JobId& job, std::optional<WallTime> since,
                         const VisitRecord& visit) override;
  Status for_each_change(const JobId& job, std::optional<WallTime> since,
                         const VisitChange& visit) override;
  Status for_each_run(const JobId& job, const VisitRun& visit) override;
  Result<std::vector<Run>> runs(const JobId& job, std::size_t max) override;
  Result<std::optional<Run>> run(const RunId& id) override;
  Result<std::vector<RunId>> run_ids(const std::string& prefix, std::size_t max) override;
  Status for_each_trace(const RunId& run, const VisitTrace& visit) override;
  Result<ProgramHistory> program_history(const RunId& run) override;
  Result<std::vector<StoredEvent>> events(std::int64_t after, std::size_t max) override;
  Result<std::vector<StoredEvent>> job_events(const JobId& job, std::int64_t after,
                                              std::size_t max) override;
  Result<Backlog> backlog() override;
  Result<std::vector<SystemAlert>> alerts() override;
  Result<std::vector<RunFigures>> recent_runs(const JobId& job, std::size_t max) override;
  Result<std::vector<RunDay>> run_days(const JobId& job, const DayRange& range) override;
  Result<std::vector<PriceDay>> price_days(const JobId& job, const DayRange& range) override;
  Result<OutboxCounts> outbox(const JobId& job) override;
  Status for_each_dead_letter(const JobId& job, const VisitDeadLetter& visit) override;
  Result<std::optional<DeadLetter>> dead_letter(DeadLetterId id) override;
  Result<std::vector<std::string>> key_matches(const JobId& job) override;
  Result<std::vector<DeadLetterId>> dead_letter_ids(DeadLetterId prefix, std::size_t max) override;
  Result<std::optional<std::string>> newest_body(const JobId& job, const std::string& url) override;
  Result<std::vector<PageVersion>> versions(const JobId& job, const std::string& url,
                                            std::size_t max) override;
  Result<std::optional<std::string>> version_body(const JobId& job, const std::string& url,
                                                  std::int64_t version) override;
  Result<std::vector<std::string>> pages_by_version(const JobId& job, std::size_t max) override;

 private:
  Result<bool> has_statuses();

  struct Parts;
  explicit SqliteReader(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace heddle::store

// EmptyReader is the history of a project that has no database yet. Thread-safe.
#pragma once

#include "store/reader.hpp"

namespace heddle::store {

class EmptyReader : public Reader {
 public:
  Result<std::vector<JobName>> jobs() override { return std::vector<JobName>(); }
  Result<std::vector<std::string>> key_matches(const JobId&) override {
    return std::vector<std::string>();
  }
  Result<std::vector<StoredEvent>> events(std::int64_t, std::size_t) override {
    return std::vector<StoredEvent>();
  }
  Result<std::vector<StoredEvent>> job_events(const JobId&, std::int64_t, std::size_t) override {
    return std::vector<StoredEvent>();
  }
  Result<Backlog> backlog() override { return Backlog{}; }
  Result<std::vector<SystemAlert>> alerts() override { return std::vector<SystemAlert>(); }
  Result<std::vector<RunFigures>> recent_runs(const JobId&, std::size_t) override {
    return std::vector<RunFigures>();
  }
  Result<std::vector<JobStatus>> job_statuses() override { return std::vector<JobStatus>(); }
  Result<std::vector<JobStatus>> failing_jobs() override { return std::vector<JobStatus>(); }
  Status for_each_record(const JobId&, std::optional<WallTime>, const VisitRecord&) override {
    return Done{};
  }
  Status for_each_change(const JobId&, std::optional<WallTime>, const VisitChange&) override {
    return Done{};
  }
  Status for_each_run(const JobId&, const VisitRun&) override { return Done{}; }
  Result<std::vector<Run>> runs(const JobId&, std::size_t) override { return std::vector<Run>(); }
  Result<std::optional<Run>> run(const RunId&) override { return std::optional<Run>(); }
  Status for_each_trace(const RunId&, const VisitTrace&) override { return Done{}; }
  Result<std::vector<RunId>> run_ids(const std::string&, std::size_t) override {
    return std::vector<RunId>();
  }
  Result<std::vector<RunDay>> run_days(const JobId&, const DayRange&) override {
    return std::vector<RunDay>();
  }
  Result<std::vector<PriceDay>> price_days(const JobId&, const DayRange&) override {
    return std::vector<PriceDay>();
  }
  Result<ProgramHistory> program_history(const RunId&) override { return ProgramHistory{}; }
  Result<OutboxCounts> outbox(const JobId&) override { return OutboxCounts{}; }
  Status for_each_dead_letter(const JobId&, const VisitDeadLetter&) override { return Done{}; }
  Result<std::vector<DeadLetterId>> dead_letter_ids(DeadLetterId, std::size_t) override {
    return std::vector<DeadLetterId>();
  }
  Result<std::optional<DeadLetter>> dead_letter(DeadLetterId) override {
    return std::optional<DeadLetter>();
  }
  Result<std::optional<std::string>> newest_body(const JobId&, const std::string&) override {
    return std::optional<std::string>();
  }
  Result<std::vector<PageVersion>> versions(const JobId&, const std::string&,
                                            std::size_t) override {
    return std::vector<PageVersion>();
  }
  Result<std::optional<std::string>> version_body(const JobId&, const std::string&,
                                                  std::int64_t) override {
    return std::optional<std::string>();
  }
  Result<std::vector<std::string>> pages_by_version(const JobId&, std::size_t) override {
    return std::vector<std::string>();
  }
};

}  // namespace heddle::store

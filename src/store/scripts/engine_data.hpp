// Gives one script statement read-only access to the engine's database: one snapshot, one job. Uses
// its own connection, so that no SQL of a script can name anything in it. Same thread as its
// session.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "store/scripts/sql_budget.hpp"
#include "store/sqlite/core/connection.hpp"
#include "store/sqlite/tables/job_numbers.hpp"
#include "store/sqlite/tables/pages/record_rows.hpp"

namespace heddle::store {

class EngineData {
 public:
  // The file may be missing: there is no data until it exists.
  EngineData(std::filesystem::path file, SqlBudget& budget)
      : file_(std::move(file)), budget_(budget) {}
  EngineData(const EngineData&) = delete;
  EngineData& operator=(const EngineData&) = delete;

  void begin(const JobId& job);  // before a statement of this job
  void end();                    // after it

  struct View {
    sqlite3* db;
    std::int64_t job;
  };
  // nullopt when the job has no data. All views until end() share one snapshot.
  Result<std::optional<View>> view();
  [[nodiscard]] const JobId& job() const { return job_; }
  // When the newest page that lists the item was last seen; nullopt: no page lists it. Call after
  // view().
  Result<std::optional<std::int64_t>> last_listed(std::int64_t item) {
    return opened_->records.last_listed(item);
  }

 private:
  struct Opened {
    explicit Opened(std::unique_ptr<Connection> open)
        : db(std::move(open)), jobs(*db), records(*db) {}
    std::unique_ptr<Connection> db;
    JobNumbers jobs;
    RecordRows records;
  };

  Status open();

  std::filesystem::path file_;
  SqlBudget& budget_;
  JobId job_;
  std::unique_ptr<Opened> opened_;
};

}  // namespace heddle::store

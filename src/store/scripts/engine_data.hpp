// The engine's own database as one statement of a script sees it: read-only, one moment, one job.
// On a connection of its own, so that no SQL of a script can name anything in it.
// Same thread as the session it belongs to.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "store/scripts/sql_budget.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/job_numbers.hpp"
#include "store/sqlite/record_rows.hpp"

namespace heddle::store {

class EngineData {
 public:
  // The file may be missing: then there is no data, until it appears.
  EngineData(std::filesystem::path file, SqlBudget& budget)
      : file_(std::move(file)), budget_(budget) {}
  EngineData(const EngineData&) = delete;
  EngineData& operator=(const EngineData&) = delete;

  void begin(const JobId& job);  // a statement of this job follows
  void end();                    // after it

  struct View {
    sqlite3* db;
    std::int64_t job;
  };
  // Nothing when the job has no data. All views until end() are of one moment.
  Result<std::optional<View>> view();
  [[nodiscard]] const JobId& job() const { return job_; }
  // Which items are on their pages; after view().
  Result<const ListedItems*> listed(std::int64_t job);

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
  std::optional<ListedItems> listed_;
};

}  // namespace heddle::store

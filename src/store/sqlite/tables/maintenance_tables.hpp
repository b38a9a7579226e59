// Holds what the writer thread needs for maintenance, and runs one batch of it.
#pragma once

#include <chrono>
#include <ctime>
#include <vector>

#include "store/sqlite/retention/batch_pacer.hpp"
#include "store/sqlite/retention/incremental_vacuum.hpp"
#include "store/sqlite/retention/job_remover.hpp"
#include "store/sqlite/retention/run_remover.hpp"
#include "store/sqlite/retention/sweeper.hpp"
#include "store/sqlite/retention/version_remover.hpp"
#include "store/sqlite/sqlite_queries.hpp"
#include "store/sqlite/tables/note_table.hpp"
#include "store/sqlite/tables/tables.hpp"

namespace heddle::store {

struct MaintenanceTables {
  MaintenanceTables(Connection& db, Tables& tables)
      : runs(db),
        versions(db),
        sweeper(db, runs, versions),
        jobs(db, {tables.jobs, tables.journal, runs, versions}),
        vacuum(db),
        notes(db, tables.journal) {}

  BatchPacer pacer;
  RunRemover runs;
  VersionRemover versions;
  Sweeper sweeper;
  JobRemover jobs;
  IncrementalVacuum vacuum;
  NoteTable notes;
};

// Measures a batch from its start until it is durable.
class HoldTimer {
 public:
  [[nodiscard]] std::chrono::microseconds held() const {
    return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() -
                                                                 start_);
  }
  [[nodiscard]] std::chrono::microseconds cpu() const { return cpu_now() - cpu_start_; }

 private:
  static std::chrono::microseconds cpu_now() {
    timespec used{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec));
  }

  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::microseconds cpu_start_ = cpu_now();
};

// `Work` takes a BatchDeadline and returns Result<T>.
template <class T, class Work>
struct MaintenanceBatch {
  MaintenanceTables& maintenance;
  SqliteQueries& queries;
  Work work;
  HoldTimer timer{};
  std::vector<Hash128> gone{};

  Result<T> operator()() {
    timer = HoldTimer();
    maintenance.versions.forget();
    auto result = work(BatchDeadline(maintenance.pacer.budget()));
    gone = maintenance.versions.take_gone();
    return result;
  }

  void committed(const T& /*answer*/) {
    queries.forget_contents(gone);
    maintenance.pacer.record(timer.held(), timer.cpu());
  }
};

}  // namespace heddle::store

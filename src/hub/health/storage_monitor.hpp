// StorageMonitor watches the disk space of a project: warns at 80 % of `limits.storage`, holds new
// runs at 100 % and releases them when there is space again; likewise when the disk itself is
// almost full. Each change is reported once, also across restarts, and stored as soon as possible.
// Single event loop; everything passed in outlives it.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>

#include "base/async.hpp"
#include "base/log/log.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "base/wake_signal.hpp"
#include "model/job/job.hpp"
#include "store/history.hpp"

namespace heddle::hub {

enum class StorageLevel { fine, warning, full };
std::string_view to_text(StorageLevel level);

struct StorageState {
  std::int64_t used = 0;
  std::int64_t limit = 0;
  StorageLevel level = StorageLevel::fine;
  std::int64_t free = 0;  // on the disk
  bool is_measured = false;
  bool is_caused_by_disk = false;  // the disk, not the limit, determines the level
};

// For users: how full it is and the consequences.
std::string storage_summary(const StorageState& state);

// Pure. A level ends some way below the line that leads to it.
StorageLevel level_after(StorageLevel before, std::int64_t used, std::int64_t limit);

// The same by free disk space: warns at 5 % of the disk or 256 MiB, whichever is less; full at 1 %
// or 16 MiB, which stores and systems need to operate at all.
StorageLevel level_by_free(StorageLevel before, std::int64_t free, std::int64_t disk);

struct StorageMonitorParts {
  store::History& history;
  const Clock& clock;
  Log& log;
  std::function<Async<Result<std::int64_t>>()> measure;  // of the project, in bytes
  std::function<Result<std::int64_t>()> disk_size;
  std::function<Result<std::int64_t>()> disk_free;  // for unprivileged users
  // Called once at the start and on every change of the level, even when it cannot be stored.
  std::function<Async<void>(StorageState)> on_level;
};

class StorageMonitor {
 public:
  StorageMonitor(StorageMonitorParts parts, StorageRule rule)
      : parts_(std::move(parts)), rule_(rule) {}

  // Reads the level of the previous daemon. A share of the disk becomes a number of bytes once and
  // stays the same when the disk grows or shrinks.
  Async<Status> begin();
  // Measures now and periodically until stop().
  Async<void> watch();
  Async<Status> check();
  // Triggers a check.
  void set_rule(const StorageRule& rule) {
    rule_ = rule;
    is_limit_known_ = false;
    stopped_.notify();
  }
  void stop() { stopped_.close(); }

  [[nodiscard]] const StorageState& state() const { return state_; }

 private:
  Async<Status> find_limit();
  Async<Result<std::int64_t>> limit_by_share();
  Async<Status> measure();
  [[nodiscard]] StorageLevel evaluate();
  Async<void> change_level(StorageLevel level);
  Async<Status> write_notes();
  void warn(std::string problem);

  StorageMonitorParts parts_;
  StorageRule rule_;
  struct PendingNote {
    store::Note note;
    WallTime at;
  };

  StorageState state_;
  std::int64_t disk_ = 0;
  std::deque<PendingNote> pending_notes_;  // oldest first; kept while the disk is full
  std::string last_warning_;
  bool is_limit_known_ = false;
  WakeSignal stopped_;
};

}  // namespace heddle::hub

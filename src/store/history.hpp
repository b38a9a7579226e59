// Removes old history in batches short enough that the writer is never blocked for long, and
// releases the disk space.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/ids.hpp"
#include "base/result.hpp"
#include "base/time.hpp"

namespace heddle::store {

enum class HistoryClass {
  versions,  // the first and the newest of a page are kept
  runs,      // with their tasks; one summary row per job and day is kept
  traces,
  events,
  messages,  // sent, or dead without a dead letter; never waiting ones
  prices,    // one summary row per day is kept
  dead_letters,
};

// Nothing of an unfinished run is removed, whatever its age.
struct SweepRequest {
  HistoryClass what = HistoryClass::events;
  WallTime before{};                     // older rows are removed
  std::int64_t excess = 0;               // bytes to remove besides, oldest first
  std::int64_t after = 0;                // where the previous batch ended
  WallTime kept_from = WallTime::max();  // rows this recent are always kept
  // Maps a time to its local day since 1970. Called on the store's thread.
  std::function<std::int64_t(WallTime)> day_of{};
};

struct SweepBatch {
  std::int64_t removed = 0;  // rows of the class
  std::int64_t bytes = 0;    // estimate
  std::int64_t after = 0;
  bool is_last = true;
};

struct MeasuredBatch {
  std::int64_t bytes = 0;  // estimate
  std::int64_t after = 0;
  bool is_last = true;
};

// A named value of the whole project, with the event to record when it changes.
struct Note {
  std::string name;
  std::string value;
  std::string event{};  // "storage.warning"; empty: none
  std::vector<std::pair<std::string, std::string>> event_data{};
};

// Every call is one transaction and durable when it returns, as in Store.
class History {
 public:
  virtual ~History() = default;

  virtual Async<Result<SweepBatch>> sweep(SweepRequest request) = 0;
  // Estimates the space of a class without blocking the writer or waiting for it.
  virtual Async<Result<MeasuredBatch>> measure(HistoryClass what, std::int64_t after) = 0;
  // Returns false when no free space is left to release.
  virtual Async<Result<bool>> release_space() = 0;
  // Checkpoints the whole WAL and truncates it. Retries briefly while readers block it; never
  // blocks the writer for long.
  virtual Async<Status> truncate_wal() = 0;
  // The WAL stays close to this limit.
  virtual void set_wal_limit(std::int64_t bytes) = 0;

  // Continues what Store::begin_deletion started. Returns false when no row of a deleted job is
  // left.
  virtual Async<Result<bool>> continue_deletions() = 0;

  virtual Async<Result<std::optional<std::string>>> find_note(std::string name) = 0;
  virtual Async<Status> put_note(Note note, WallTime now) = 0;
};

}  // namespace heddle::store

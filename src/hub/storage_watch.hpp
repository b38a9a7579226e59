// Watches how much disk space a project takes: warns at 80 % of `limits.storage`, has new runs wait
// at 100 % and lets them go on by itself when there is room again; the same when the disk itself
// has hardly any room left, whoever took it. What was said is stored as soon as that is possible,
// so that it is said once, also over restarts. One event loop; everything it is given outlives it.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>

#include "base/async.hpp"
#include "base/doorbell.hpp"
#include "base/log.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "model/job.hpp"
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
  bool is_of_disk = false;  // the level is what it is because the disk has no room
};

// For people: how full it is, and what follows from it.
std::string sentence_about(const StorageState& state);

// Pure. Once reached, a level is left some way below the line that leads to it.
StorageLevel level_after(StorageLevel before, std::int64_t used, std::int64_t limit);

// The same by what is free on the disk: a twentieth of it, or 256 MiB when that is less, is worth a
// warning; a hundredth, or 16 MiB, is what stores and systems need to go on at all.
StorageLevel level_by_free(StorageLevel before, std::int64_t free, std::int64_t disk);

struct StorageParts {
  store::History& history;
  const Clock& clock;
  Log& log;
  std::function<Async<Result<std::int64_t>>()> measure;  // all that the project takes, in bytes
  std::function<Result<std::int64_t>()> disk_size;
  std::function<Result<std::int64_t>()> disk_free;  // what there is left for anybody
  // The level has changed, whether or not that can be stored now; also called once at the
  // beginning. The one place where it is told.
  std::function<Async<void>(StorageState)> on_level;
};

class StorageWatch {
 public:
  StorageWatch(StorageParts parts, StorageRule rule);

  // What was known when a former daemon left. A share of the disk becomes a number of bytes here,
  // once: it stays the same when the disk grows or shrinks.
  Async<Status> begin();
  // Measures now, and again and again until stop().
  Async<void> watch();
  Async<Status> look();
  // Looked at soon.
  void set_rule(const StorageRule& rule) {
    rule_ = rule;
    is_limit_known_ = false;
    stopped_.ring();
  }
  void stop() { stopped_.ring_for_good(); }

  [[nodiscard]] const StorageState& state() const { return state_; }

 private:
  Async<Status> find_limit();
  Async<Result<std::int64_t>> limit_by_share();
  Async<Status> measure();
  [[nodiscard]] StorageLevel judge();
  Async<void> change_level(StorageLevel level);
  Async<Status> write_notes();
  void warn(std::string trouble);

  StorageParts parts_;
  StorageRule rule_;
  struct UnwrittenNote {
    store::Note note;
    WallTime at;
  };

  StorageState state_;
  std::int64_t disk_ = 0;
  std::deque<UnwrittenNote> unwritten_;  // in their order; a full disk takes none of them
  std::string last_warning_;
  bool is_limit_known_ = false;
  Doorbell stopped_;
};

}  // namespace heddle::hub

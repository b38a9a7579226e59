// Keeping history within bounds: what is old goes, in pieces so small that the writer is never held
// for long, and the space is given back to the disk.
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
  versions,  // the first and the newest of a page always stay
  runs,      // with their tasks; a line per job and day stays
  traces,
  events,
  messages,  // that were sent, or given up and forgotten; never one that waits
  prices,    // a line per day stays
  dead_letters,
};

// Nothing of a run that has not ended goes, whatever its age.
struct SweepOrder {
  HistoryClass what = HistoryClass::events;
  WallTime before{};                     // what is older goes
  std::int64_t excess = 0;               // so many bytes go besides, the oldest first
  std::int64_t after = 0;                // where the former piece ended
  WallTime kept_from = WallTime::max();  // what is as young as this stays in any case
  // The day in local time, counted from 1970. Called on the store's thread.
  std::function<std::int64_t(WallTime)> day_of{};
};

struct SweptPiece {
  std::int64_t removed = 0;  // rows of the class
  std::int64_t bytes = 0;    // about
  std::int64_t after = 0;
  bool is_last = true;
};

struct MeasuredPiece {
  std::int64_t bytes = 0;  // about
  std::int64_t after = 0;
  bool is_last = true;
};

// Something small that is known of the whole project, and what is told when it changes.
struct Note {
  std::string name;
  std::string value;
  std::string event{};  // "storage.warning"; empty: none
  std::vector<std::pair<std::string, std::string>> event_data{};
};

// As in Store: every call is one transaction, durable when it returns.
class History {
 public:
  virtual ~History() = default;

  virtual Async<Result<SweptPiece>> sweep(SweepOrder order) = 0;
  // How much space a class takes; never waits for the writer, nor holds it.
  virtual Async<Result<MeasuredPiece>> measure(HistoryClass what, std::int64_t after) = 0;
  // False: there is nothing left to give back.
  virtual Async<Result<bool>> give_back_space() = 0;
  // What was written lately may be kept twice, in a log besides: carries all of it over, so that
  // the log takes no space. Tried for a moment when readers are in the way; never holds the writer
  // for long.
  virtual Async<Status> cut_log() = 0;
  // The log becomes hardly longer than this.
  virtual void keep_log_within(std::int64_t bytes) = 0;

  // What Store::begin_deletion left to do. False: nothing of deleted jobs is there any more.
  virtual Async<Result<bool>> continue_deletions() = 0;

  virtual Async<Result<std::optional<std::string>>> find_note(std::string name) = 0;
  virtual Async<Status> put_note(Note note, WallTime now) = 0;
};

}  // namespace heddle::store

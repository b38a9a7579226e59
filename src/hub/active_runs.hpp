// The runs under way and which process holds each: only its holder may lease and store for it.
// One event loop.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/doorbell.hpp"
#include "base/ids.hpp"
#include "ipc/messages/worker_messages.hpp"
#include "model/job.hpp"
#include "model/page_report.hpp"
#include "supervise/process_event.hpp"

namespace heddle::hub {

// Told what happens while a run is worked on.
class RunFollower {
 public:
  virtual ~RunFollower() = default;
  virtual void page(const PageReport& page) = 0;
};

// Why a run is ended before its pages are through.
enum class Halt {
  pause,   // somebody will go on with it
  cancel,  // the job goes on with its schedule
  stop,    // and so does the job end
};

struct ActiveRun {
  RunId id;
  Job job;
  RunFollower* follower = nullptr;             // may be absent
  std::optional<supervise::SlotRef> holder{};  // while a process works on it
  std::optional<ipc::RunEnded> ended{};        // what the holder said at the end
  bool is_lost = false;                        // the holder died
  bool has_done_page = false;                  // with this holder
  bool is_moving = false;                      // the holder was asked to leave it to another
  std::uint64_t steps = 0;                     // of its tasks: leased, stored, postponed, given up
  std::optional<Halt> halt{};
  Doorbell news{};  // rings when any of the above changes
};

class ActiveRuns {
 public:
  // In the table while it lives.
  class Entry {
   public:
    Entry(ActiveRuns& table, ActiveRun& run) : table_(table), run_(run) {
      table_.runs_.emplace(run_.id, &run_);
    }
    ~Entry() { table_.runs_.erase(run_.id); }
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

   private:
    ActiveRuns& table_;
    ActiveRun& run_;
  };

  // nullptr: not under way, or held by another process.
  [[nodiscard]] ActiveRun* held_by(supervise::SlotRef holder, const RunId& run) const;
  [[nodiscard]] std::vector<ActiveRun*> all_held_by(supervise::SlotRef holder) const;
  [[nodiscard]] ActiveRun* find(const RunId& run) const;
  [[nodiscard]] std::vector<ActiveRun*> all() const;

 private:
  std::unordered_map<RunId, ActiveRun*> runs_;
};

}  // namespace heddle::hub

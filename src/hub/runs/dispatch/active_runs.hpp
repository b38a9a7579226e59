// ActiveRuns lists the runs in progress and the process that holds each one: only the holder may
// lease tasks and store results. Single event loop.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/ids.hpp"
#include "base/wake_signal.hpp"
#include "ipc/worker_messages.hpp"
#include "model/job/job.hpp"
#include "model/run/execution_result.hpp"
#include "supervise/slot_event.hpp"

namespace heddle::hub {

// Receives what a run does while it executes: its pages, or that its service is ready.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  virtual void page(const PageReport& page) = 0;
  virtual void ready() {}
};

struct ActiveRun {
  RunId id;
  Job job;
  RunObserver* observer = nullptr;             // may be absent
  std::optional<supervise::SlotRef> holder{};  // while a process executes it
  std::optional<ExecutionResult> ended{};      // reported by the holder
  bool is_lost = false;                        // the holder died
  bool has_done_page = false;                  // with this holder
  bool is_moving = false;                      // the holder was asked to hand it over
  std::uint64_t steps = 0;                     // tasks leased, stored, postponed or dead-lettered
  std::optional<Halt> halt{};
  WakeSignal changed{};  // notifies every change of the fields above
};

class ActiveRuns {
 public:
  // Lists the run for as long as this object exists.
  class Registration {
   public:
    Registration(ActiveRuns& table, ActiveRun& run) : table_(table), run_(run) {
      table_.runs_.emplace(run_.id, &run_);
    }
    ~Registration() { table_.runs_.erase(run_.id); }
    Registration(const Registration&) = delete;
    Registration& operator=(const Registration&) = delete;

   private:
    ActiveRuns& table_;
    ActiveRun& run_;
  };

  // nullptr: not in progress.
  [[nodiscard]] ActiveRun* find(const RunId& run) const {
    const auto found = runs_.find(run);
    return found == runs_.end() ? nullptr : found->second;
  }
  // nullptr: not in progress, or held by another process.
  [[nodiscard]] ActiveRun* held_by(supervise::SlotRef holder, const RunId& run) const {
    ActiveRun* found = find(run);
    return found != nullptr && found->holder == holder ? found : nullptr;
  }
  [[nodiscard]] std::vector<ActiveRun*> all() const {
    std::vector<ActiveRun*> all;
    for (const auto& [id, run] : runs_) all.push_back(run);
    return all;
  }
  [[nodiscard]] std::vector<ActiveRun*> all_held_by(supervise::SlotRef holder) const {
    std::vector<ActiveRun*> held = all();
    std::erase_if(held, [holder](const ActiveRun* run) { return run->holder != holder; });
    return held;
  }

 private:
  std::unordered_map<RunId, ActiveRun*> runs_;
};

}  // namespace heddle::hub

// SlotAssignment chooses the worker slot for a job's run: the previous one for a job with a script,
// because its globals are there; the same one for jobs that share a page, because downloads are
// shared there; otherwise the least loaded. Pure; single event loop.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>

#include "base/ids.hpp"
#include "model/job/job.hpp"

namespace heddle::hub {

class SlotAssignment {
 public:
  using Slot = std::uint32_t;

  void add(Slot slot) { loads_.try_emplace(slot, 0); }
  // The slot takes no more work; its jobs move.
  void remove(Slot slot) { loads_.erase(slot); }

  // nullopt: there is no slot.
  [[nodiscard]] std::optional<Slot> choose(const Job& job) const;

  // A run adds as much load as the job has workers.
  void begin(const Job& job, Slot slot);
  void end(const Job& job, Slot slot);

 private:
  std::map<Slot, int> loads_;  // possible cycles in flight
  std::unordered_map<JobId, Slot> last_slots_;
  std::unordered_map<std::uint64_t, Slot> circle_slots_;  // last slot of each page circle
};

}  // namespace heddle::hub

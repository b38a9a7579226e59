// Which worker slot does a job's runs: always the same one while the job has a script, because its
// globals live there; the same for jobs that fetch a page in common, because downloads are shared
// there; and otherwise the one with the least to do. Pure; one event loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>

#include "base/ids.hpp"
#include "model/job.hpp"

namespace heddle::hub {

class SlotAssignment {
 public:
  using Slot = std::uint32_t;

  void add(Slot slot);
  // It takes no more work; its jobs will move.
  void remove(Slot slot);
  [[nodiscard]] bool has(Slot slot) const { return loads_.contains(slot); }
  [[nodiscard]] bool is_empty() const { return loads_.empty(); }

  // nullopt: there is no slot.
  [[nodiscard]] std::optional<Slot> choose(const Job& job) const;

  // A run of the job works there, with as many cycles at a time as the job has workers.
  void begin(const Job& job, Slot slot);
  void end(const Job& job, Slot slot);

  [[nodiscard]] int load(Slot slot) const;

 private:
  std::map<Slot, int> loads_;  // cycles that may be under way
  std::unordered_map<JobId, Slot> homes_;
  std::unordered_map<std::uint64_t, Slot> circles_;  // where a job of the circle began last
};

}  // namespace heddle::hub

// WorkerSlots gives RunDispatcher access to the worker slots. Single event loop.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/result.hpp"
#include "ipc/channel.hpp"
#include "supervise/supervisor.hpp"

namespace heddle::hub {

class WorkerSlots {
 public:
  virtual ~WorkerSlots() = default;

  // The slots that share the runs, without the isolated one.
  [[nodiscard]] virtual std::vector<supervise::SlotId> workers() const = 0;
  [[nodiscard]] virtual bool runs_jobs(supervise::SlotId slot) const = 0;
  [[nodiscard]] virtual supervise::SlotState state(supervise::SlotId slot) const = 0;
  // Shown to users; nullopt when the slot is gone.
  [[nodiscard]] virtual std::optional<int> number(supervise::SlotId slot) const = 0;
  // As Supervisor::start: forgets a recovery in progress.
  virtual Status start(supervise::SlotId slot) = 0;
  // nullptr: that process is gone.
  [[nodiscard]] virtual std::shared_ptr<ipc::Channel> channel(supervise::SlotRef slot) const = 0;
};

// The slots of a supervisor, which outlives this.
class SupervisedSlots final : public WorkerSlots {
 public:
  explicit SupervisedSlots(supervise::Supervisor& supervisor) : supervisor_(supervisor) {}

  [[nodiscard]] std::vector<supervise::SlotId> workers() const override {
    std::vector<supervise::SlotId> workers;
    for (const supervise::SlotStatus& status : supervisor_.status())
      if (status.kind == supervise::SlotKind::worker) workers.push_back(status.slot.slot);
    return workers;
  }
  [[nodiscard]] bool runs_jobs(supervise::SlotId slot) const override {
    for (const supervise::SlotStatus& status : supervisor_.status())
      if (status.slot.slot == slot) return supervise::runs_jobs(status.kind);
    return false;
  }
  [[nodiscard]] supervise::SlotState state(supervise::SlotId slot) const override {
    return supervisor_.state(slot);
  }
  [[nodiscard]] std::optional<int> number(supervise::SlotId slot) const override {
    for (const supervise::SlotStatus& status : supervisor_.status())
      if (status.slot.slot == slot) return status.number;
    return std::nullopt;
  }
  Status start(supervise::SlotId slot) override { return supervisor_.start(slot); }
  [[nodiscard]] std::shared_ptr<ipc::Channel> channel(supervise::SlotRef slot) const override {
    return supervisor_.channel(slot);
  }

 private:
  supervise::Supervisor& supervisor_;
};

}  // namespace heddle::hub

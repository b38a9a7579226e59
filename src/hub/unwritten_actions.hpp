// Pauses and stops that people asked for while the store could not be written: they hold at once,
// and are written as soon as that is possible. A daemon that ends before that forgets them, and the
// former state is back. One event loop; everything it is given outlives it.
#pragma once

#include <functional>

#include "base/async.hpp"
#include "base/result.hpp"
#include "hub/driver_tools.hpp"

namespace heddle::hub {

class UnwrittenActions {
 public:
  // `rest`: nothing of the job begins from here on. `on_written`: what follows the step.
  UnwrittenActions(const DriverTools& tools, std::function<void(JobEntry&, Halt)> rest,
                   std::function<Async<void>(JobLife, bool at_once)> on_written)
      : tools_(tools), rest_(std::move(rest)), on_written_(std::move(on_written)) {}

  // Whether the store is why, and is waited for.
  [[nodiscard]] bool holds_back(const Error& why) const;

  // The life as it will be written; a refusal when the table does not allow the step.
  Result<JobLife> take(JobEntry& entry, const lifecycle::JobStep& step, bool at_once);

 private:
  Async<void> write_later(JobEntry& entry);

  const DriverTools& tools_;
  std::function<void(JobEntry&, Halt)> rest_;
  std::function<Async<void>(JobLife, bool at_once)> on_written_;
};

}  // namespace heddle::hub

// Builds the deliveries for a page's new items from the job's channels and the script's hooks.
#pragma once

#include <vector>

#include "base/async.hpp"
#include "model/notify/delivery.hpp"
#include "pipeline/messages.hpp"
#include "pipeline/scripts/cycle_hooks.hpp"

namespace heddle::pipeline {

struct DeliveryBatch {
  std::vector<Delivery> deliveries;
  bool has_failed = false;  // a hook exceeded its budget: see CycleHooks::failure()
};

// `hooks` is null for a job without a script. What `news` points to outlives the call.
Async<DeliveryBatch> build_deliveries(const Job& job, const News& news, CycleHooks* hooks);

}  // namespace heddle::pipeline

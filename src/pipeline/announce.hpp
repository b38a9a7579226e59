// What will be told about a page's new items, as the job's channels and the script's hooks want it.
#pragma once

#include <vector>

#include "base/async.hpp"
#include "model/delivery.hpp"
#include "pipeline/messages.hpp"
#include "pipeline/scripts/cycle_hooks.hpp"

namespace heddle::pipeline {

struct Announcement {
  std::vector<Delivery> deliveries;
  bool has_failed = false;  // a hook used up its budget: see CycleHooks::failure()
};

// `hooks` is null for a job without a script. What `news` looks at outlives the call.
Async<Announcement> announce(const Job& job, const News& news, CycleHooks* hooks);

}  // namespace heddle::pipeline

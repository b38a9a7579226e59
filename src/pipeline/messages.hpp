// Builds the deliveries for new and changed items, to be committed together with them.
#pragma once

#include <string>
#include <vector>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/job/job.hpp"
#include "model/notify/delivery.hpp"
#include "model/run/change.hpp"
#include "model/run/item.hpp"
#include "pipeline/job_plan.hpp"

namespace heddle::pipeline {

struct News {
  RunId run;
  std::string url;
  WallTime time{};
  std::vector<const Item*> items;  // the new items
  std::vector<FieldChange> changes{};
};

// What receivers are told: the changed fields, and for an item that came back its state. Without
// what the job's rules do not report.
std::vector<FieldChange> changes_told(const JobPlan& plan, const std::vector<ItemUpdate>& updates);

Delivery desktop_delivery(const Job& job, const News& news);
Delivery webhook_delivery(const Job& job, const News& news);

}  // namespace heddle::pipeline

// Builds the deliveries for new items, to be committed together with them.
#pragma once

#include <string>
#include <vector>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/job/job.hpp"
#include "model/notify/delivery.hpp"
#include "model/run/item.hpp"

namespace heddle::pipeline {

struct News {
  RunId run;
  std::string url;
  WallTime time{};
  std::vector<const Item*> items;  // the new items, never empty
};

Delivery desktop_delivery(const Job& job, const News& news);
Delivery webhook_delivery(const Job& job, const News& news);

}  // namespace heddle::pipeline

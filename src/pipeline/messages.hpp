// Shapes what will be told about new items, to be stored together with them.
#pragma once

#include <string>
#include <vector>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/delivery.hpp"
#include "model/item.hpp"
#include "model/job.hpp"

namespace heddle::pipeline {

struct News {
  RunId run;
  std::string url;
  WallTime time{};
  std::vector<const Item*> items;  // what is new, never empty
};

Delivery desktop_message(const Job& job, const News& news);
Delivery webhook_message(const Job& job, const News& news);

}  // namespace heddle::pipeline

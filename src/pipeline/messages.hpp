// Shapes what will be told about new items, to be stored together with them.
#pragma once

#include <vector>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/delivery.hpp"
#include "model/job.hpp"
#include "model/run.hpp"

namespace heddle::pipeline {

struct News {
  RunId run;
  std::string url;
  WallTime time{};
  const std::vector<KeyedItem>& items;  // what is new, never empty
};

// One delivery per channel that the job has switched on.
std::vector<Delivery> shape_messages(const Job& job, const News& news);

}  // namespace heddle::pipeline

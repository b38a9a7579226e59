#include "app/client/run_report.hpp"

namespace heddle::app {

cli::PageProgress page_progress_of(const PageReport& page) {
  return {page.task.url, page.state, page.items, page.bytes, page.error, page.wait};
}

std::vector<cli::StageCost> costs_of(const StageCosts& costs) {
  std::vector<cli::StageCost> list;
  for (std::size_t i = 0; i < kStageCount; ++i) {
    const auto stage = static_cast<Stage>(i);
    if (stage == Stage::extract) {
      list.push_back({"decode", costs.extract.decode});
      list.push_back({"parse", costs.extract.parse});
      list.push_back({"select", costs.extract.select});
    } else if (costs.stages[i].count() > 0) {
      list.push_back({std::string(to_text(stage)), costs.stages[i]});
    }
  }
  return list;
}

}  // namespace heddle::app

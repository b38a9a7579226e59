#include "model/run/page_report.hpp"

namespace heddle {

void add(StageCosts& sum, const StageCosts& more) {
  for (std::size_t i = 0; i < kStageCount; ++i) sum.stages[i] += more.stages[i];
  sum.extract.decode += more.extract.decode;
  sum.extract.parse += more.extract.parse;
  sum.extract.select += more.extract.select;
  sum.cycles += more.cycles;
}

}  // namespace heddle

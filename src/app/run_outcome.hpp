// What the engine reports, in the words of the command line.
#pragma once

#include <vector>

#include "cli/work.hpp"
#include "model/page_report.hpp"

namespace heddle::app {

cli::PageNews news_of(const PageReport& page);
std::vector<cli::StageCost> costs_of(const StageCosts& costs);

}  // namespace heddle::app

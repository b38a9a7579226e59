// Converts engine reports to types of the command line.
#pragma once

#include <vector>

#include "cli/command_backend.hpp"
#include "model/run/page_report.hpp"

namespace heddle::app {

cli::PageProgress page_progress_of(const PageReport& page);
std::vector<cli::StageCost> costs_of(const StageCosts& costs);

}  // namespace heddle::app

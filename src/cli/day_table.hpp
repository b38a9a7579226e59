// Prints the daily statistics of a job as tables.
#pragma once

#include "cli/command_context.hpp"
#include "views/day_view.hpp"

namespace heddle::cli {

void print_days(CommandContext& context, const views::JobDays& days);

}  // namespace heddle::cli

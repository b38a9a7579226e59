// Prints what a page offers to be watched, with sample rows.
#pragma once

#include <cstddef>

#include "cli/terminal.hpp"
#include "model/job/watch_proposal.hpp"

namespace heddle::cli {

// What the page is.
void print_page_class(Terminal& terminal, const WatchProposal& proposal);

// With at most so many rows.
void print_candidate(Terminal& terminal, const WatchCandidate& candidate, std::size_t rows);
// The same after a blank line and its number.
void print_candidate(Terminal& terminal, const WatchCandidate& candidate, std::size_t number,
                     std::size_t rows);

}  // namespace heddle::cli

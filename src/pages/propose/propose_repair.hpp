// Proposes new selectors for a job whose page has changed: those of the list that holds the texts
// of its stored items. Pure and deterministic.
#pragma once

#include <span>

#include "model/job/repair_proposal.hpp"
#include "model/run/item.hpp"
#include "pages/propose/propose.hpp"

namespace heddle::pages {

// `known`: stored items of the page, the newest last.
RepairProposal propose_repair(html::Parser& parser, const ProposedPage& page, const Job& job,
                              std::span<const Item> known);

}  // namespace heddle::pages

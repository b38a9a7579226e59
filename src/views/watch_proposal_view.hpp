// Writes what `heddle add` and `heddle repair` found on a page as JSON, for the command line and
// the API alike.
#pragma once

#include "model/job/repair_proposal.hpp"
#include "model/job/watch_proposal.hpp"
#include "model/json.hpp"

namespace heddle::views {

// The members of an object; the caller begins and ends it.
void write_watch_proposal_fields(JsonWriter& json, const WatchProposal& proposal);
void write_repair_proposal_fields(JsonWriter& json, const RepairProposal& proposal);

}  // namespace heddle::views

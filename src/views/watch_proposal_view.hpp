// Writes what `heddle add` found on a page as JSON, for the command line and the API alike.
#pragma once

#include "model/job/watch_proposal.hpp"
#include "model/json.hpp"

namespace heddle::views {

// The members of an object; the caller begins and ends it.
void write_watch_proposal_fields(JsonWriter& json, const WatchProposal& proposal);

}  // namespace heddle::views

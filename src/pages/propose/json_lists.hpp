// Finds the lists of objects in a JSON document and names their fields. Pure, deterministic;
// limited in the objects that it looks at.
#pragma once

#include <vector>

#include "model/job/watch_proposal.hpp"
#include "pages/json/json_document.hpp"

namespace heddle::pages {

// Ranked, best first, at most five; without items and rows. A path of JSON members leads to each.
std::vector<WatchCandidate> find_json_lists(const JsonDocument& json);

}  // namespace heddle::pages

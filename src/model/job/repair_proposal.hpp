// RepairProposal is how a job's selectors could be mended after its page has changed. Plain values.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/job/watch_proposal.hpp"

namespace heddle {

struct RepairProposal {
  std::string url;                          // of the page
  std::size_t known = 0;                    // stored items that were looked for on it
  std::size_t items_now = 0;                // that the present selectors find
  std::vector<std::string> empty_fields{};  // that find nothing now, but did for stored items
  // The job's fields in their order, with new selectors.
  std::optional<WatchCandidate> found{};
  std::vector<std::string> lost_fields{};  // of these that keep a selector that finds nothing
  std::string obstacle{};                  // why nothing was found; empty: the selectors work

  [[nodiscard]] bool is_needed() const { return found.has_value() || !obstacle.empty(); }
};

}  // namespace heddle

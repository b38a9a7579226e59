// Which items of a page are new, and what is remembered of the page. One per cycle, on its loop.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/async.hpp"
#include "base/result.hpp"
#include "pipeline/cycle.hpp"
#include "pipeline/extract.hpp"
#include "pipeline/reservations.hpp"
#include "pipeline/services.hpp"

namespace heddle::pipeline {

// The page as the cycle has it; all of it outlives the Dedup.
struct DedupPage {
  Extracted& extracted;                     // loses what it shows twice, and new items
  const FetchResponse& response;            // for its validators
  const std::optional<PageMemory>& before;  // what was stored before this fetch
  PageResult& result;                       // gets keys, new items, memory and snapshot
};

class Dedup {
 public:
  Dedup(const Services& services, JobState& job, const CycleOrder& order, DedupPage page)
      : services_(services), job_(job), order_(order), page_(page), claim_(job.reservations) {}

  // Claims what is new until this object ends: let it live until the page is committed.
  Async<Status> run();
  [[nodiscard]] const std::vector<bool>& is_new() const { return is_new_; }  // beside the keys

 private:
  void collect_keys();
  Async<Result<store::KnownAnswer>> ask_what_is_known();
  void pick_new_items(const store::KnownAnswer& known);
  void remember_page();
  [[nodiscard]] Hash128 hash_of_what_it_showed() const;
  Status keep_version(bool store_has_content);

  const Services& services_;
  JobState& job_;
  const CycleOrder& order_;
  DedupPage page_;
  Reservations::Claim claim_;
  Hash128 content_;
  std::vector<std::size_t> claimed_;  // positions in the keys
  std::vector<bool> is_new_;
};

}  // namespace heddle::pipeline

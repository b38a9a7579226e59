// Dedup finds the new items of a page, what changed about those that are followed, and fills in its
// PageMemory. One per cycle, on its loop.
#pragma once

#include <cstddef>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/async.hpp"
#include "base/result.hpp"
#include "pipeline/cycle.hpp"
#include "pipeline/extract.hpp"
#include "pipeline/reservations.hpp"
#include "pipeline/services.hpp"

namespace heddle::pipeline {

// Views of the cycle; all outlive the Dedup.
struct DedupPage {
  Extracted& extracted;                     // duplicates and new items are removed
  const FetchResponse& response;            // for its validators
  const std::optional<PageMemory>& before;  // stored before this fetch
  PageResult& result;                       // receives keys, new items, memory and snapshot
};

class Dedup {
 public:
  Dedup(const CycleServices& services, JobSession& job, const CycleSpec& spec, DedupPage page)
      : services_(services), job_(job), spec_(spec), page_(page), claim_(job.reservations) {}

  // Claims the new items until this object is destroyed: keep it until the page is committed.
  Async<Status> run();
  // The page is stored as if its text were that of the kept version, but is compared again.
  void forget_changes();
  [[nodiscard]] const std::vector<bool>& is_new() const { return is_new_; }  // parallel to the keys

 private:
  void collect_keys();
  Async<Result<store::KnownAnswer>> query_known();
  [[nodiscard]] bool compares_items() const;
  // Decides which stored item each one is, by the answer of query_known().
  void tell_apart(store::KnownAnswer& known);
  [[nodiscard]] bool is_own_item(const store::KnownAnswer& known, std::size_t position) const;
  void note_shared_keys();
  void pick_new_items(const store::KnownAnswer& known);
  void compare_known_items(store::KnownAnswer& known);
  void compare(const Hash128& key, const Item& item, store::StoredItem stored);
  Async<Status> compare_text();
  void remember_page();
  [[nodiscard]] bool lacks_watched_text() const;
  [[nodiscard]] Hash128 visible_content_hash() const;
  Status make_snapshot(bool store_has_content);

  const CycleServices& services_;
  JobSession& job_;
  const CycleSpec& spec_;
  DedupPage page_;
  Reservations::Claim claim_;
  Hash128 content_;
  Hash128 visible_content_;
  // Of jobs with `key`: the keys of items that share theirs, and how many items of the page do.
  std::vector<Hash128> own_keys_;
  std::unordered_map<Hash128, std::size_t> sharing_;
  std::vector<std::size_t> claimed_;  // positions in the keys
  std::vector<bool> is_new_;
};

}  // namespace heddle::pipeline

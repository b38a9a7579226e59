#include "pipeline/cycle.hpp"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "pipeline/messages.hpp"
#include "pipeline/snapshot.hpp"
#include "pipeline/stage_timer.hpp"

namespace heddle::pipeline {

namespace {

PageFailure store_failure(Error error) {
  return {.error = {"store", std::move(error.message), ""}, .is_ours = true};
}

// The stages in order; each returns false when the cycle ends there, with outcome_ set.
class Cycle {
 public:
  Cycle(const Services& services, JobState& job, CycleMode mode, Artefacts* artefacts)
      : services_(services),
        job_(job),
        mode_(mode),
        artefacts_(artefacts),
        claim_(job.reservations) {}

  Async<CycleEnd> run(const Lease& lease) {
    page_.lease = lease;
    page_.job = job_.plan.job.id;
    const bool is_fetched = co_await fetch();
    if (is_fetched) co_await take_in();
    keep_artefacts();
    co_return CycleEnd{std::move(outcome_), std::move(trace_), extracted_.cost, bytes_};
  }

 private:
  Async<void> take_in() {
    if (!page_.unchanged) {
      if (!extract()) co_return;
      const bool is_known_what_is_new = co_await dedup();
      if (!is_known_what_is_new) co_return;
      shape();
    }
    co_await store();
  }

  bool fail(PageFailure failure) {
    failure.error.url = page_.lease.task.url;
    outcome_ = std::move(failure);
    return false;
  }

  Async<bool> fetch() {
    StageTimer timer(trace_, Stage::fetch);
    const bool conditional = mode_ == CycleMode::store;
    auto result = co_await fetch_page(services_, job_, page_.lease.task, conditional);
    if (auto* failure = std::get_if<PageFailure>(&result)) {
      timer.fail(failure->error.message);
      co_return fail(std::move(*failure));
    }
    fetched_ = std::get<FetchedPage>(std::move(result));
    const FetchResponse& response = fetched_.response;
    page_.final_url = response.url;
    page_.http_status = response.status;
    page_.fetched_at = services_.clock.now();
    bytes_ = static_cast<std::int64_t>(response.wire_bytes);
    page_.bytes = bytes_;
    page_.memory.rules_hash = job_.plan.rules_hash;
    note_whether_unchanged(timer);
    co_return true;
  }

  // A page whose bytes and extraction rules are those of the last time has the same items.
  void note_whether_unchanged(StageTimer& timer) {
    const auto& memory = fetched_.memory;
    const bool same_rules = memory && memory->rules_hash == job_.plan.rules_hash;
    if (fetched_.not_modified) {
      timer.note("not modified (304)");
    } else {
      page_.memory.body_hash = hash128(fetched_.response.body);
      if (!same_rules || memory->body_hash != page_.memory.body_hash) return;
      timer.note("same body as last time");
    }
    page_.unchanged = mode_ == CycleMode::store;
    if (!page_.unchanged) return;
    page_.memory = *memory;
    page_.items_seen = memory->item_count;
    mark_skipped(trace_, Stage::extract, "page unchanged");
    mark_skipped(trace_, Stage::dedup, "page unchanged");
  }

  bool extract() {
    StageTimer timer(trace_, Stage::extract);
    auto extracted = pipeline::extract(services_.parser, job_.plan, fetched_.response);
    if (!extracted) {
      timer.fail(extracted.error().message);
      return fail({.error = {"too_complex", std::move(extracted.error().message), ""}});
    }
    extracted_ = std::move(*extracted);
    if (extracted_.selector_matches == 0) timer.note("the selector matched nothing");
    return true;
  }

  // Drops what the keywords do not want and what the page shows twice, then asks what is new.
  Async<bool> dedup() {
    filter();
    StageTimer timer(trace_, Stage::dedup);
    collect_keys();
    auto known = co_await ask_what_is_known();
    if (!known) {
      timer.fail(known.error().message);
      co_return fail(store_failure(std::move(known).error()));
    }
    pick_new_items(*known);
    remember_page();
    auto kept = keep_version(known->content);
    if (!kept) co_return fail(store_failure(std::move(kept).error()));
    co_return true;
  }

  void filter() {
    if (job_.plan.job.keywords.empty()) return;
    StageTimer timer(trace_, Stage::filter_item);
    std::erase_if(extracted_.items, [this](Item& item) { return !job_.plan.keywords.keep(item); });
  }

  void collect_keys() {
    std::unordered_set<Hash128> on_page;
    std::vector<Item> distinct;
    distinct.reserve(extracted_.items.size());
    for (Item& item : extracted_.items) {
      const Hash128 key = item_key(page_.job, item, job_.plan.job.hash_fields);
      if (!on_page.insert(key).second) continue;
      page_.keys.push_back(key);
      distinct.push_back(std::move(item));
    }
    extracted_.items = std::move(distinct);
    page_.items_seen = static_cast<std::int64_t>(page_.keys.size());
  }

  // Claims first and asks then: whatever another cycle stores in between, it either still holds
  // the claim or the store already knows.
  Async<Result<store::KnownAnswer>> ask_what_is_known() {
    store::KnownQuery query;
    query.job = page_.job;
    for (std::size_t i = 0; i < page_.keys.size(); ++i) {
      if (!claim_.take(page_.keys[i])) continue;
      claimed_.push_back(i);
      query.keys.push_back(page_.keys[i]);
    }
    page_content_ = content_hash(page_.job, extracted_.body);
    query.content = page_content_;
    co_return co_await services_.store.what_is_known(std::move(query));
  }

  void pick_new_items(const store::KnownAnswer& known) {
    is_new_.assign(page_.keys.size(), false);
    for (std::size_t i = 0; i < claimed_.size(); ++i) is_new_[claimed_[i]] = !known.keys[i];
    for (std::size_t i = 0; i < page_.keys.size(); ++i) {
      if (!is_new_[i]) continue;
      Item& item = extracted_.items[i];
      page_.new_items.push_back({page_.keys[i], artefacts_ != nullptr ? item : std::move(item)});
    }
  }

  void remember_page() {
    PageMemory& memory = page_.memory;
    memory.item_count = page_.items_seen;
    if (const auto* etag = find_header(fetched_.response.headers, "etag")) memory.etag = *etag;
    if (const auto* modified = find_header(fetched_.response.headers, "last-modified"))
      memory.last_modified = *modified;
    ListHasher hasher;
    hasher.add(extracted_.text_hash);
    for (const Hash128& key : page_.keys) hasher.add(key);
    memory.text_hash = hasher.finish();
  }

  Status keep_version(bool store_has_content) {
    const SnapshotPolicy policy = job_.plan.job.snapshots;
    if (policy == SnapshotPolicy::none || mode_ == CycleMode::dry_run) return Done{};
    const bool changed = !fetched_.memory || fetched_.memory->text_hash != page_.memory.text_hash;
    if (policy == SnapshotPolicy::changed && !changed) return Done{};
    Snapshot snapshot{.content_hash = page_content_, .size = extracted_.body.size()};
    if (!store_has_content) {
      auto compressed = compress(extracted_.body);
      if (!compressed) return std::move(compressed.error());
      snapshot.compressed = std::move(*compressed);
    }
    page_.snapshot = std::move(snapshot);
    return Done{};
  }

  void shape() {
    if (page_.new_items.empty()) return;
    const News news{page_.lease.task.run, page_.final_url, page_.fetched_at, page_.new_items};
    page_.deliveries = shape_messages(job_.plan.job, news);
  }

  Async<void> store() {
    PageDone done{.items = {.seen = page_.items_seen}, .is_unchanged = page_.unchanged};
    if (mode_ == CycleMode::dry_run) {
      mark_skipped(trace_, Stage::store, "nothing is stored in a debug run");
      done.items.fresh = static_cast<std::int64_t>(page_.new_items.size());
      outcome_ = done;
      co_return;
    }
    if (artefacts_ != nullptr) artefacts_->deliveries = page_.deliveries;
    trace_[Stage::store].status = StageStatus::success;
    page_.trace = trace_;  // its own stage is timed for whoever looks on, not for the record
    StageTimer timer(trace_, Stage::store);
    const std::string url = page_.lease.task.url;
    auto receipt = co_await services_.store.commit(std::move(page_));
    if (receipt) {
      done.items.fresh = receipt->new_items;
      outcome_ = done;
      co_return;
    }
    timer.fail(receipt.error().message);
    auto failure = store_failure(std::move(receipt).error());
    failure.error.url = url;
    outcome_ = std::move(failure);
  }

  void keep_artefacts() {
    if (artefacts_ == nullptr) return;
    artefacts_->response = std::move(fetched_.response);
    artefacts_->body = std::move(extracted_.body);
    artefacts_->items = std::move(extracted_.items);
    artefacts_->is_new = std::move(is_new_);
    if (mode_ == CycleMode::dry_run) artefacts_->deliveries = std::move(page_.deliveries);
  }

  const Services& services_;
  JobState& job_;
  CycleMode mode_;
  Artefacts* artefacts_;
  Reservations::Claim claim_;  // held until the commit is through

  PageResult page_;  // handed over by the commit
  CycleTrace trace_;
  std::int64_t bytes_ = 0;
  FetchedPage fetched_;
  Extracted extracted_;
  Hash128 page_content_;
  std::vector<std::size_t> claimed_;  // positions in page_.keys
  std::vector<bool> is_new_;          // beside page_.keys
  std::variant<PageDone, PageFailure> outcome_;
};

}  // namespace

Async<CycleEnd> run_cycle(const Services& services, JobState& job, const Lease& lease,
                          CycleMode mode, Artefacts* artefacts) {
  const auto cycle = std::make_unique<Cycle>(services, job, mode, artefacts);
  co_return co_await cycle->run(lease);
}

}  // namespace heddle::pipeline

#include "pipeline/dedup.hpp"

#include <unordered_set>
#include <utility>

#include "pipeline/snapshot.hpp"

namespace heddle::pipeline {

Async<Status> Dedup::run() {
  collect_keys();
  auto known = co_await query_known();
  if (!known) co_return std::move(known).error();
  pick_new_items(*known);
  remember_page();
  co_return make_snapshot(known->content);
}

void Dedup::collect_keys() {
  const CpuTimer time(job_.cpu_used);
  std::unordered_set<Hash128> on_page;
  std::vector<Item> distinct;
  distinct.reserve(page_.extracted.items.size());
  for (Item& item : page_.extracted.items) {
    const Hash128 key = item_key(page_.result.job, item, job_.plan.job.hash_fields);
    if (!on_page.insert(key).second) continue;
    page_.result.keys.push_back(key);
    distinct.push_back(std::move(item));
  }
  page_.extracted.items = std::move(distinct);
  page_.result.items_seen = static_cast<std::int64_t>(page_.result.keys.size());
}

// Claims before querying: an item that another cycle stores in between is either still claimed or
// already known to the store.
Async<Result<store::KnownAnswer>> Dedup::query_known() {
  store::KnownQuery query;
  query.job = page_.result.job;
  for (std::size_t i = 0; i < page_.result.keys.size(); ++i) {
    if (!claim_.add(page_.result.keys[i])) continue;
    claimed_.push_back(i);
    query.keys.push_back(page_.result.keys[i]);
  }
  content_ = content_hash(page_.result.job, page_.extracted.body);
  query.content = content_;
  co_return co_await services_.store.find_known(std::move(query));
}

void Dedup::pick_new_items(const store::KnownAnswer& known) {
  const std::vector<Hash128>& keys = page_.result.keys;
  is_new_.assign(keys.size(), false);
  for (std::size_t i = 0; i < claimed_.size(); ++i) is_new_[claimed_[i]] = !known.keys[i];
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!is_new_[i]) continue;
    Item& item = page_.extracted.items[i];
    page_.result.new_items.push_back(
        {keys[i], spec_.artefacts != nullptr ? item : std::move(item)});
  }
}

void Dedup::remember_page() {
  PageMemory& memory = page_.result.memory;
  memory.item_count = page_.result.items_seen;
  memory.text_hash = visible_content_hash();
  // Another cycle is about to store an item of this page. If it fails, the page must be read again,
  // so it must not be recognised as unchanged.
  // The same holds for a page whose script held items back.
  const bool is_complete =
      claimed_.size() == page_.result.keys.size() && page_.result.outcome != TaskState::dead;
  if (!is_complete) memory.body_hash = {};
  if (!is_complete) return;
  if (const auto* etag = find_header(page_.response.headers, "etag")) memory.etag = *etag;
  if (const auto* modified = find_header(page_.response.headers, "last-modified"))
    memory.last_modified = *modified;
}

Hash128 Dedup::visible_content_hash() const {
  ListHasher hasher;
  hasher.add(page_.extracted.text_hash);
  for (const Hash128& key : page_.result.keys) hasher.add(key);
  return hasher.finish();
}

Status Dedup::make_snapshot(bool store_has_content) {
  const CpuTimer time(job_.cpu_used);
  const SnapshotPolicy policy = job_.plan.job.snapshots;
  if (policy == SnapshotPolicy::none || spec_.mode == CycleMode::dry_run) return Done{};
  const bool changed = !page_.before || page_.before->text_hash != page_.result.memory.text_hash;
  if (policy == SnapshotPolicy::changed && !changed) return Done{};
  Snapshot snapshot{.content_hash = content_, .size = page_.extracted.body.size()};
  if (!store_has_content) {
    auto compressed = compress(page_.extracted.body);
    if (!compressed) return std::move(compressed.error());
    snapshot.compressed = std::move(*compressed);
  }
  page_.result.snapshot = std::move(snapshot);
  return Done{};
}

}  // namespace heddle::pipeline

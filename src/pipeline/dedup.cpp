#include "pipeline/dedup.hpp"

#include <unordered_set>
#include <utility>

#include "pages/changes/item_changes.hpp"
#include "pipeline/page_text.hpp"
#include "pipeline/snapshot.hpp"

namespace heddle::pipeline {

Async<Status> Dedup::run() {
  collect_keys();
  visible_content_ = visible_content_hash();
  auto known = co_await query_known();
  if (!known) co_return std::move(known).error();
  compare_known_items(*known);
  pick_new_items(*known);
  if (page_.extracted.text) {
    auto compared = co_await compare_text();
    if (!compared) co_return compared;
  }
  remember_page();
  co_return make_snapshot(known->content);
}

void Dedup::collect_keys() {
  const CpuTimer time(job_.cpu_used);
  std::unordered_set<Hash128> on_page;
  std::vector<Item> distinct;
  distinct.reserve(page_.extracted.items.size());
  for (Item& item : page_.extracted.items) {
    const Hash128 key = job_.plan.key_of(item);
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
  if (compares_items()) query.items_for = page_.result.lease.task.url;
  co_return co_await services_.store.find_known(std::move(query));
}

// The items of a page that shows what it showed before are as they were stored.
bool Dedup::compares_items() const {
  if (!job_.plan.follows_items()) return false;
  return !page_.before || page_.before->text_hash != visible_content_ ||
         page_.before->fields_hash != job_.plan.fields_hash;
}

void Dedup::compare_known_items(store::KnownAnswer& known) {
  if (known.items.empty()) return;
  const CpuTimer time(job_.cpu_used);
  for (std::size_t i = 0; i < claimed_.size(); ++i) {
    auto& stored = known.items[i];
    if (!stored || (stored->is_followed_elsewhere && !stored->is_gone)) continue;
    compare(page_.result.keys[claimed_[i]], page_.extracted.items[claimed_[i]], std::move(*stored));
  }
}

void Dedup::compare(const Hash128& key, const Item& item, store::StoredItem stored) {
  const Item& old = stored.item;
  const bool is_same = old.fields == item.fields && old.values_json == item.values_json &&
                       old.matches == item.matches;
  if (is_same && !stored.is_gone) return;
  ItemUpdate update{.key = key, .item = item, .is_back = stored.is_gone};
  // Items that only the edited rules read differently are stored without a word.
  const bool is_read_anew = page_.before && page_.before->fields_hash != job_.plan.fields_hash;
  if (is_read_anew)
    update.is_back = false;
  else
    update.changes = pages::compare_items(job_.plan.job, old, item);
  page_.result.updates.push_back(std::move(update));
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

Async<Status> Dedup::compare_text() {
  const bool is_same = page_.before && page_.before->text_hash == visible_content_ &&
                       page_.before->fields_hash == job_.plan.fields_hash;
  page_.extracted.is_new_version = !is_same;
  if (is_same || !page_.before) co_return Done{};
  co_return co_await compare_with_kept_version(services_, job_, page_.result.lease.task.url,
                                               page_.extracted);
}

void Dedup::forget_changes() {
  Extracted& extracted = page_.extracted;
  extracted.text_changes.clear();
  extracted.triggers.clear();
  extracted.comparison_note.clear();
  page_.result.snapshot.reset();
  PageMemory& memory = page_.result.memory;
  memory.text_hash = page_.before ? page_.before->text_hash : Hash128{};
  memory.body_hash = {};
  memory.etag.clear();
  memory.last_modified.clear();
}

void Dedup::remember_page() {
  PageMemory& memory = page_.result.memory;
  memory.item_count = page_.result.items_seen;
  memory.text_hash = visible_content_;
  if (lacks_watched_text()) {
    // The next text is compared, whatever stands in its place now.
    page_.extracted.is_new_version = false;
    memory.text_hash = page_.before ? page_.before->text_hash : Hash128{};
  }
  memory.fields_hash = job_.plan.fields_hash;
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

// Another page in place of the one whose text is watched.
bool Dedup::lacks_watched_text() const {
  return job_.plan.job.watch == WatchKind::text && !page_.extracted.text &&
         page_.result.keys.empty();
}

Hash128 Dedup::visible_content_hash() const {
  ListHasher hasher;
  hasher.add(page_.extracted.text_hash);
  for (const Hash128& key : page_.result.keys) hasher.add(key);
  if (!job_.plan.follows_items()) return hasher.finish();
  for (const Item& item : page_.extracted.items)
    for (const auto& [name, text] : item.fields) {
      hasher.add(name);
      hasher.add(text);
    }
  return hasher.finish();
}

Status Dedup::make_snapshot(bool store_has_content) {
  const CpuTimer time(job_.cpu_used);
  const SnapshotPolicy policy = job_.plan.job.snapshots;
  if (policy == SnapshotPolicy::none || spec_.mode == CycleMode::dry_run) return Done{};
  const bool differs = !page_.before || page_.before->text_hash != page_.result.memory.text_hash;
  const bool changed = page_.extracted.is_new_version.value_or(differs);
  if (lacks_watched_text() || (job_.plan.job.watch == WatchKind::file && page_.extracted.is_binary))
    return Done{};
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

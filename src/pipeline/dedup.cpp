#include "pipeline/dedup.hpp"

#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "pages/changes/item_changes.hpp"
#include "pipeline/page_text.hpp"
#include "pipeline/snapshot.hpp"

namespace heddle::pipeline {

Async<Status> Dedup::run() {
  collect_keys();
  visible_content_ = visible_content_hash();
  auto known = co_await query_known();
  if (!known) co_return std::move(known).error();
  tell_apart(*known);
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
    const Hash128 own_key = job_.plan.follows_items() ? job_.plan.own_key_of(item) : key;
    if (!on_page.insert(own_key).second) continue;
    page_.result.keys.push_back(key);
    if (job_.plan.follows_items()) {
      own_keys_.push_back(own_key);
      ++sharing_[key];
    }
    distinct.push_back(std::move(item));
  }
  page_.extracted.items = std::move(distinct);
  page_.result.items_seen = static_cast<std::int64_t>(page_.result.keys.size());
}

// Claims before querying: an item that another cycle stores in between is either still claimed or
// already known to the store. Items that share a key are claimed together.
Async<Result<store::KnownAnswer>> Dedup::query_known() {
  const std::vector<Hash128>& keys = page_.result.keys;
  std::unordered_map<Hash128, bool> claims;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto [claim, is_first] = claims.try_emplace(keys[i], false);
    if (is_first) claim->second = claim_.add(keys[i]);
    if (claim->second) claimed_.push_back(i);
  }
  store::KnownQuery query;
  query.job = page_.result.job;
  query.keys = keys;
  query.keys.insert(query.keys.end(), own_keys_.begin(), own_keys_.end());
  content_ = content_hash(page_.result.job, page_.extracted.body);
  query.content = content_;
  const bool shares_keys = sharing_.size() < own_keys_.size();
  if (compares_items() || shares_keys) query.items_for = page_.result.lease.task.url;
  co_return co_await services_.store.find_known(std::move(query));
}

// The items of a page that shows what it showed before are as they were stored.
bool Dedup::compares_items() const {
  if (!job_.plan.follows_items()) return false;
  return !page_.before || page_.before->text_hash != visible_content_ ||
         page_.before->fields_hash != job_.plan.fields_hash;
}

// An item that shares its key with others of the page, now or when it was stored, is identified by
// all fields that count: so none is lost, and another order is no change.
void Dedup::tell_apart(store::KnownAnswer& known) {
  const std::size_t count = own_keys_.size();
  if (count == 0) return;
  for (std::size_t i = 0; i < count; ++i) {
    if (!is_own_item(known, i)) continue;
    page_.result.keys[i] = own_keys_[i];
    known.keys[i] = known.keys[count + i];
    if (!known.items.empty()) known.items[i] = std::move(known.items[count + i]);
  }
  note_shared_keys();
}

bool Dedup::is_own_item(const store::KnownAnswer& known, std::size_t position) const {
  if (known.keys[own_keys_.size() + position]) return true;
  if (sharing_.at(page_.result.keys[position]) == 1) return false;
  if (known.items.empty()) return true;  // the job has never stored anything
  const auto& stored = known.items[position];
  return !stored || job_.plan.own_key_of(stored->item) != own_keys_[position];
}

void Dedup::note_shared_keys() {
  RunError& finding = page_.result.memory.finding;
  const bool shares_keys = sharing_.size() < own_keys_.size();
  if (!shares_keys || finding.kind != ErrorKind::none) return;
  std::size_t others = 0;
  for (const Item& item : page_.extracted.items) {
    const auto shared = sharing_.find(job_.plan.key_of(item));
    if (shared->second < 2) continue;
    if (finding.kind == ErrorKind::none)
      finding = {ErrorKind::shared_key,
                 fmt::format("{} items share the key {}", shared->second,
                             pages::named_key_text(job_.plan.job, item)),
                 ""};
    else
      ++others;
    shared->second = 0;  // it is counted
  }
  if (others > 0)
    finding.message +=
        fmt::format(", and {} more {} shared", others, others == 1 ? "key is" : "keys are");
  finding.message += ": give `key` another field to tell them apart";
}

void Dedup::compare_known_items(store::KnownAnswer& known) {
  if (known.items.empty()) return;
  const CpuTimer time(job_.cpu_used);
  for (const std::size_t i : claimed_) {
    auto& stored = known.items[i];
    if (!stored || (stored->is_followed_elsewhere && !stored->is_gone)) continue;
    compare(page_.result.keys[i], page_.extracted.items[i], std::move(*stored));
  }
}

void Dedup::compare(const Hash128& key, const Item& item, store::StoredItem stored) {
  const Item& old = stored.item;
  const bool is_same = old.fields == item.fields && old.values_json == item.values_json &&
                       old.matches == item.matches;
  if (is_same && !stored.is_gone && !stored.is_taken_over) return;
  ItemUpdate update{.key = key, .item = item, .is_back = stored.is_gone};
  // Items that only the edited rules read differently are stored without a word.
  const bool is_read_anew = page_.before && page_.before->fields_hash != job_.plan.fields_hash;
  if (is_read_anew)
    update.is_back = false;
  else if (!stored.is_taken_over)
    update.changes = pages::compare_items(job_.plan.job, old, item);
  page_.result.updates.push_back(std::move(update));
}

void Dedup::pick_new_items(const store::KnownAnswer& known) {
  const std::vector<Hash128>& keys = page_.result.keys;
  is_new_.assign(keys.size(), false);
  for (const std::size_t i : claimed_) is_new_[i] = !known.keys[i];
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

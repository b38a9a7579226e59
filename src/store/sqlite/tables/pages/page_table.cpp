#include "store/sqlite/tables/pages/page_table.hpp"

#include "store/sqlite/tables/pages/key_prefixes.hpp"

namespace heddle::store {

namespace {

// A page that was read whole says which of its former items are no longer there.
std::optional<std::int64_t> whole_reading(const HeldTask& task, const PageResult& page) {
  const ErrorKind found = page.memory.finding.kind;
  const bool is_whole = page.outcome == TaskState::done &&
                        (found == ErrorKind::none || found == ErrorKind::shared_key);
  if (!is_whole) return std::nullopt;
  return task.run_number;
}

}  // namespace

PageTable::PageTable(Connection& db, ItemTable& items, FollowedItems& followed)
    : items_(items),
      followed_(followed),
      rows_(db),
      insert_url_(db, "INSERT INTO urls (hash, url) VALUES (?, ?)"),
      insert_use_(db, "INSERT OR IGNORE INTO url_uses (job, url) VALUES (?, ?)"),
      touch_(db,
             "UPDATE pages SET last_seen = max(last_seen, ?),"
             " last_run = iif(finding_kind IS NULL OR finding_kind = 'shared_key', ?, NULL)"
             " WHERE id = ?"),
      insert_page_(
          db,
          "INSERT INTO pages (job, url, final_url, etag, last_modified, body_hash,"
          " text_hash, rules_hash, item_count, http_status, first_seen, last_seen,"
          " keys_hash, key_matches, finding_kind, finding, last_run, fields_hash)"
          " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?11, ?11, ?12, ?13, ?14, ?15, ?16, ?17)"),
      update_page_(db,
                   "UPDATE pages SET final_url = ?, etag = ?, last_modified = ?, body_hash = ?,"
                   " text_hash = ?, rules_hash = ?, item_count = ?, http_status = ?,"
                   " last_seen = max(last_seen, ?), keys_hash = ?, key_matches = ?,"
                   " finding_kind = ?, finding = ?, last_run = ?, fields_hash = ? WHERE id = ?"),
      select_keys_(db, "SELECT keys FROM page_keys WHERE page = ?"),
      replace_keys_(db, "INSERT OR REPLACE INTO page_keys (page, keys) VALUES (?, ?)"),
      find_content_(db, "SELECT id FROM contents WHERE hash = ?"),
      insert_content_(db, "INSERT INTO contents (hash, size, zstd) VALUES (?, ?, ?)"),
      newest_version_(db,
                      "SELECT content, id FROM versions WHERE page = ? ORDER BY id DESC LIMIT 1"),
      mark_between_(db,
                    "UPDATE versions SET is_between = 1 WHERE id = ?1 AND EXISTS"
                    " (SELECT 1 FROM versions WHERE page = ?2 AND id < ?1)"),
      insert_version_(db, "INSERT INTO versions (page, run, at, content) VALUES (?, ?, ?, ?)"),
      db_(db) {}

Result<std::int64_t> PageTable::url_number(const std::string& url) {
  auto number = rows_.find_url(url);
  if (!number || *number != 0) return number;
  if (auto done = insert_url_.run(url_hash(url), url); !done) return std::move(done).error();
  return sqlite3_last_insert_rowid(db_.handle());
}

Status PageTable::add_url_use(std::int64_t job, std::int64_t url) {
  return insert_use_.run(job, url);
}

Result<std::int64_t> PageTable::touch(const HeldTask& task, const PageResult& page) {
  auto url = rows_.find_url(task.url);
  if (!url) return std::move(url).error();
  auto row = rows_.find(task.job_number, *url);
  if (!row) return std::move(row).error();
  if (!*row)
    return Error{ErrorCode::not_found,
                 "page " + task.url + " is said to be unchanged but was never stored"};
  if (auto done = touch_.run(page.fetched_at, task.run_number, (*row)->id); !done)
    return std::move(done).error();
  return (*row)->memory.item_count;
}

Result<StoredPage> PageTable::put(const HeldTask& task, const PageResult& page,
                                  std::int64_t final_url) {
  auto stored = put_row(task, page, final_url);
  if (stored && page.lists_newest_only) stored->items_gone = 0;
  if (!stored || !page.snapshot) return stored;
  auto is_changed = put_version(task, stored->id, page);
  if (!is_changed) return std::move(is_changed).error();
  stored->is_changed = *is_changed;
  return stored;
}

Result<StoredPage> PageTable::put_row(const HeldTask& task, const PageResult& page,
                                      std::int64_t final_url) {
  const bool has_moved = !page.final_url.empty() && page.final_url != task.url;
  auto url = has_moved ? url_number(task.url) : Result<std::int64_t>(final_url);
  if (!url) return std::move(url).error();
  auto found = rows_.find(task.job_number, *url);
  if (!found) return std::move(found).error();

  const PageMemory& memory = page.memory;
  const auto etag = unless_empty(memory.etag);
  const auto modified = unless_empty(memory.last_modified);
  const auto finding_kind = unless_empty(to_text(memory.finding.kind));
  const auto finding = unless_empty(memory.finding.message);
  KeyPrefixes prefixes = prefixes_of(page.keys);
  const std::string keys = encode_prefixes(prefixes);
  const std::int64_t keys_hash = hash_of_prefixes(keys);
  const auto whole = whole_reading(task, page);
  if (!*found || (*found)->final_url != final_url)
    if (auto added = add_url_use(task.job_number, final_url); !added)
      return std::move(added).error();
  if (!*found) {
    if (*url != final_url)
      if (auto added = add_url_use(task.job_number, *url); !added) return std::move(added).error();
    auto done = insert_page_.run(task.job_number, *url, final_url, etag, modified, memory.body_hash,
                                 memory.text_hash, memory.rules_hash, memory.item_count,
                                 page.http_status, page.fetched_at, keys_hash, memory.key_matches,
                                 finding_kind, finding, whole, memory.fields_hash);
    if (!done) return std::move(done).error();
    const std::int64_t id = sqlite3_last_insert_rowid(db_.handle());
    if (auto kept = replace_keys_.run(id, Blob{keys}); !kept) return std::move(kept).error();
    return StoredPage{.id = id, .added = std::move(prefixes)};
  }
  const PageRow& old = **found;
  auto done = update_page_.run(final_url, etag, modified, memory.body_hash, memory.text_hash,
                               memory.rules_hash, memory.item_count, page.http_status,
                               page.fetched_at, keys_hash, memory.key_matches, finding_kind,
                               finding, whole, memory.fields_hash, old.id);
  if (!done) return std::move(done).error();
  if (old.keys_hash == keys_hash) return StoredPage{.id = old.id};
  return put_keys(old, task, page, prefixes);
}

// Items removed from the page were last seen when the page was.
Result<StoredPage> PageTable::put_keys(const PageRow& old, const HeldTask& task,
                                       const PageResult& page, const KeyPrefixes& now) {
  const std::int64_t job = task.job_number;
  KeyPrefixes before;
  {
    auto rows = select_keys_.query(old.id);
    auto found = rows.next();
    if (!found) return std::move(found).error();
    if (*found) before = decode_prefixes(rows.blob(0));
  }
  const KeyPrefixes gone = difference_of(before, now);
  KeyPrefixes added = difference_of(now, before);
  if (auto left = items_.leave(job, gone, old); !left) return std::move(left).error();
  const bool is_followed = page.gone_after > 0;
  // What only the edited rules no longer find has not gone.
  const bool has_other_rules =
      old.memory.fields_hash != Hash128{} && old.memory.fields_hash != page.memory.fields_hash;
  if (is_followed) {
    const bool counts = !has_other_rules;
    auto noted = counts ? followed_.leave(job, gone, old.id, page.gone_after) : Status(Done{});
    if (!noted) return std::move(noted).error();
    noted = followed_.come_back(job, added, old.id);
    if (!noted) return std::move(noted).error();
  }
  const std::string keys = encode_prefixes(now);
  if (auto kept = replace_keys_.run(old.id, Blob{keys}); !kept) return std::move(kept).error();
  // Whether an item that is followed is gone is decided when the run ends.
  return StoredPage{.id = old.id,
                    .added = std::move(added),
                    .items_gone = is_followed ? 0 : static_cast<std::int64_t>(gone.size())};
}

Result<bool> PageTable::put_version(const HeldTask& task, std::int64_t page,
                                    const PageResult& result) {
  auto content = put_content(*result.snapshot);
  if (!content) return std::move(content).error();
  std::int64_t former = 0;
  {
    auto rows = newest_version_.query(page);
    auto found = rows.next();
    if (!found) return std::move(found).error();
    if (*found && rows.integer(0) == *content) return false;
    if (*found) former = rows.integer(1);
  }
  auto added = insert_version_.run(page, task.run_number, result.fetched_at, *content);
  if (!added) return std::move(added).error();
  if (former == 0) return false;
  if (auto marked = mark_between_.run(former, page); !marked) return std::move(marked).error();
  return true;
}

Result<std::int64_t> PageTable::find_content(const Hash128& hash) {
  auto rows = find_content_.query(hash);
  auto found = rows.next();
  if (!found) return std::move(found).error();
  return *found ? rows.integer(0) : 0;
}

Result<std::int64_t> PageTable::put_content(const Snapshot& snapshot) {
  auto known = find_content(snapshot.content_hash);
  if (!known || *known != 0) return known;
  if (snapshot.compressed.empty())
    return Error{ErrorCode::not_found, "content " + snapshot.content_hash.hex() +
                                           " is no longer stored: send the body again"};
  auto done = insert_content_.run(snapshot.content_hash, static_cast<std::int64_t>(snapshot.size),
                                  Blob{snapshot.compressed});
  if (!done) return std::move(done).error();
  return sqlite3_last_insert_rowid(db_.handle());
}

}  // namespace heddle::store

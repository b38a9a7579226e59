#include "store/sqlite/secrets/item_secrets.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/secrets/secret_mask.hpp"
#include "model/run/item.hpp"
#include "store/sqlite/core/statement.hpp"
#include "store/sqlite/tables/json_text.hpp"
#include "store/sqlite/tables/pages/key_prefixes.hpp"

namespace heddle::store {

namespace {

struct ChangedItem {
  std::int64_t id = 0;
  Hash128 former;
  Hash128 key;
  std::string fields;
  std::string typed_values;
};

using NewPrefixes = std::map<std::uint64_t, std::uint64_t>;  // by the former one

Result<std::vector<ChangedItem>> find_items(Connection& db, const Job& job, std::int64_t number,
                                            const SecretMask& mask) {
  Statement select(db, "SELECT id, key, fields, typed_values FROM items WHERE job = ?");
  auto rows = select.query(number);
  std::vector<ChangedItem> found;
  while (true) {
    auto more = rows.next();
    if (!more) return std::move(more).error();
    if (!*more) return found;
    if (!mask.finds_any(rows.text(2)) && !mask.finds_any(rows.text(3))) continue;
    ChangedItem changed{.id = rows.integer(0),
                        .former = rows.hash(1),
                        .key = {},
                        .fields = {},
                        .typed_values = std::string(rows.text(3))};
    Item item;
    item.fields = fields_from_json(rows.text(2));
    for (Field& field : item.fields) mask.apply(field.second);
    mask.apply(changed.typed_values);
    changed.key = item_key(job.id, item, job.hash_fields);
    append_json_object(changed.fields, item.fields);
    found.push_back(std::move(changed));
  }
}

Status replace_prefixes(Connection& db, std::int64_t number, const NewPrefixes& renamed) {
  std::vector<std::pair<std::int64_t, KeyPrefixes>> pages;
  Statement select(db,
                   "SELECT k.page, k.keys FROM pages p JOIN page_keys k ON k.page = p.id"
                   " WHERE p.job = ?");
  {
    auto rows = select.query(number);
    while (true) {
      auto more = rows.next();
      if (!more) return std::move(more).error();
      if (!*more) break;
      KeyPrefixes prefixes = decode_prefixes(rows.blob(1));
      const auto is_renamed = [&](std::uint64_t prefix) { return renamed.contains(prefix); };
      if (std::any_of(prefixes.begin(), prefixes.end(), is_renamed))
        pages.emplace_back(rows.integer(0), std::move(prefixes));
    }
  }
  Statement rename(db, "UPDATE OR REPLACE listings SET prefix = ?1 WHERE job = ?2 AND prefix = ?3");
  for (const auto& [former, prefix] : renamed) {
    auto done =
        rename.run(Blob{encode_prefixes({prefix})}, number, Blob{encode_prefixes({former})});
    if (!done) return done;
  }
  Statement put(db, "UPDATE page_keys SET keys = ? WHERE page = ?");
  Statement set_hash(db, "UPDATE pages SET keys_hash = ? WHERE id = ?");
  for (auto& [page, prefixes] : pages) {
    for (std::uint64_t& prefix : prefixes)
      if (const auto found = renamed.find(prefix); found != renamed.end()) prefix = found->second;
    std::sort(prefixes.begin(), prefixes.end());
    prefixes.erase(std::unique(prefixes.begin(), prefixes.end()), prefixes.end());
    const std::string keys = encode_prefixes(prefixes);
    if (auto done = put.run(Blob{keys}, page); !done) return done;
    if (auto done = set_hash.run(hash_of_prefixes(keys), page); !done) return done;
  }
  return Done{};
}

}  // namespace

std::vector<Secret> secrets_in_pages(const Job& job) {
  std::vector<Secret> secrets = job.secrets;
  std::erase_if(secrets, [](const Secret& secret) { return !secret.in_pages; });
  return secrets;
}

Status hide_secrets_of_items(Connection& db, const Job& job, std::int64_t number) {
  const SecretMask mask(secrets_in_pages(job));
  if (mask.is_empty()) return Done{};
  auto items = find_items(db, job, number, mask);
  if (!items) return std::move(items).error();
  if (items->empty()) return Done{};
  Statement set_item(db, "UPDATE items SET key = ?, fields = ?, typed_values = ? WHERE id = ?");
  // Two items that differ by former values of a secret become one: the first keeps the key.
  Statement set_key(db, "UPDATE OR REPLACE seen_keys SET key = ? WHERE job = ? AND key = ?");
  NewPrefixes renamed;
  for (const ChangedItem& item : *items) {
    auto done = set_item.run(item.key, item.fields, unless_empty(item.typed_values), item.id);
    if (!done) return done;
    if (auto moved = set_key.run(item.key, number, item.former); !moved) return moved;
    renamed[item.former.high] = item.key.high;
  }
  return replace_prefixes(db, number, renamed);
}

}  // namespace heddle::store

#include "model/run/item.hpp"

#include <algorithm>

namespace heddle {

const std::string* Item::find(std::string_view name) const {
  for (const Field& field : fields)
    if (field.first == name) return &field.second;
  return nullptr;
}

namespace {

// Those named, or all when none of them has a text: else all such items would be one.
std::vector<const Field*> fields_that_count(const Item& item,
                                            const std::vector<std::string>& hash_fields) {
  std::vector<const Field*> all;
  std::vector<const Field*> named;
  bool has_text = false;
  for (const Field& field : item.fields) {
    all.push_back(&field);
    if (std::find(hash_fields.begin(), hash_fields.end(), field.first) == hash_fields.end())
      continue;
    named.push_back(&field);
    has_text = has_text || !field.second.empty();
  }
  return has_text ? named : all;
}

}  // namespace

// The names are hashed too, in sorted order, so that moving a field in the configuration is no
// change and {title: "x", link: ""} differs from {title: "", link: "x"}.
Hash128 item_key(const JobId& job, const Item& item, const std::vector<std::string>& hash_fields) {
  std::vector<const Field*> chosen = fields_that_count(item, hash_fields);
  std::sort(chosen.begin(), chosen.end(),
            [](const Field* a, const Field* b) { return a->first < b->first; });
  ListHasher hasher(hash64(job.text));
  for (const Field* field : chosen) {
    hasher.add(field->first);
    hasher.add(field->second);
  }
  return hasher.finish();
}

}  // namespace heddle

#include "model/run/item.hpp"

#include <algorithm>

namespace heddle {

const std::string* Item::find(std::string_view name) const {
  for (const Field& field : fields)
    if (field.first == name) return &field.second;
  return nullptr;
}

// The names are hashed too, in sorted order, so that moving a field in the configuration is no
// change and {title: "x", link: ""} differs from {title: "", link: "x"}.
Hash128 item_key(const JobId& job, const Item& item, const std::vector<std::string>& hash_fields) {
  std::vector<const Field*> chosen;
  chosen.reserve(item.fields.size());
  for (const Field& field : item.fields) {
    const bool counts = hash_fields.empty() || std::find(hash_fields.begin(), hash_fields.end(),
                                                         field.first) != hash_fields.end();
    if (counts) chosen.push_back(&field);
  }
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

// Compares a stored item with the same item as a page shows it now. Pure.
#pragma once

#include <vector>

#include "model/job/job.hpp"
#include "model/run/change.hpp"
#include "model/run/item.hpp"

namespace heddle::pages {

// The text that names an item to people: the values of the job's key, separated by " | ".
std::string key_text(const Job& job, const Item& item);

// The same with the names of the fields, for messages: link = "/a", size = "M".
std::string named_key_text(const Job& job, const Item& item);

// One entry per field whose value differs, in the order of the job's fields, then of `after`.
// Compares `hash_fields`, or all fields when there are none; never the fields of the key. Typed
// values are compared as values, texts without white space and volatile parts
// (without_volatile_parts()): "1.299,00 €" and "€1,299.00" are equal, as are "2 minutes ago" and
// "1 hour ago".
std::vector<FieldChange> compare_items(const Job& job, const Item& before, const Item& after);

}  // namespace heddle::pages

// Reads the text of typed fields as money, a number or a date. Pure. docs/typed-values.md has the
// rules, also for ambiguous text.
#pragma once

#include <string>

#include "model/job/job.hpp"
#include "model/run/item.hpp"

namespace heddle::pages {

// The item's `values` as a JSON object: one entry per field the job gives a type other than text.
// money: {"amount":"1234.56","currency":"EUR"}, each null when unreadable; number: a JSON
// number with the digits of the text; date: "2026-03-12" or with a time. Unreadable or
// absent fields are null. Empty when the job has no typed fields.
std::string typed_values_json(const Job& job, const Item& item);

}  // namespace heddle::pages

// Typed fields: what a field's text says as money, a number or a date. Pure. The rules, also for
// what is ambiguous, stand in docs/typed-values.md.
#pragma once

#include <string>

#include "model/item.hpp"
#include "model/job.hpp"

namespace heddle::pages {

// The item's `values` as a JSON object: one entry per field the job gives a type other than text.
// money: {"amount":"1234.56","currency":"EUR"}, each null when it cannot be read; number: a JSON
// number with the digits of the text; date: "2026-03-12" or with a time. What cannot be read, or
// is absent from the item, is null. Empty when the job has no typed fields.
std::string typed_values_json(const Job& job, const Item& item);

}  // namespace heddle::pages

// Tells at a glance whether a text may hold a price or a date: cheap tests before the exact
// readers. Pure.
#pragma once

#include <string_view>

namespace heddle::pages {

// A digit and a sign or name of a currency.
bool looks_like_price(std::string_view text);
// A year, or numbers with marks between them.
bool looks_like_date(std::string_view text);

}  // namespace heddle::pages

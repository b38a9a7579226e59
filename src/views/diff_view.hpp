// Writes what differs between two versions of a page as JSON. Pure.
#pragma once

#include "model/json.hpp"
#include "model/run/page_diff.hpp"

namespace heddle::views {

void write_version(JsonWriter& json, const PageVersion& version);
void write_diff(JsonWriter& json, const PageDiff& diff);

}  // namespace heddle::views

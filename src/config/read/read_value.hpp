// Reads any value by the type its key asks for: lists element by element, tables key by key, every
// mistake with its line. Pure, but for the zone check.
#pragma once

#include <string>
#include <vector>

#include "config/environment.hpp"
#include "config/key_table.hpp"
#include "config/read/value.hpp"
#include "config/settings.hpp"

namespace heddle::config {

struct Complaint {
  int line = 0;
  std::string below;  // the part under the key: ".regex"; mostly empty
  std::string message;
  Severity severity = Severity::error;
};
using Complaints = std::vector<Complaint>;

// What one value came to. Texts must be filled in before.
struct ReadValue {
  Typed value;
  Complaints complaints;
  bool prevents_running = false;  // a word whose feature is not there yet
};
ReadValue read_value(const Key& key, const Value& value, const Environment& environment);

// One entry of a text_map or header_map.
ReadValue read_map_entry(const Key& key, const Entry& entry);

// For a key the section does not have: what to write instead.
std::string unknown_key(const Section& section, std::string_view name);

}  // namespace heddle::config

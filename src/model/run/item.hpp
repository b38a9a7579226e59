// One item extracted from a page: its named fields as text, in the order of the job's
// configuration.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hash.hpp"
#include "base/ids.hpp"
#include "base/time.hpp"

namespace heddle {

using Field = std::pair<std::string, std::string>;

struct Item {
  std::vector<Field> fields;
  std::vector<std::string> matches;  // keywords found; the engine owns it
  std::string values_json;           // typed fields as a JSON object, empty when there are none

  [[nodiscard]] const std::string* find(std::string_view name) const;
};

// Identity of an item within its job. Two jobs with equal fields never share an identity.
Hash128 item_key(const JobId& job, const Item& item, const std::vector<std::string>& hash_fields);

// A stored item.
struct Record {
  std::int64_t id = 0;
  JobId job;
  std::string url;
  Item item;
  WallTime first_seen{};
  WallTime last_seen{};
  std::string
      state;  // "present", "left" (not on its page when last seen), "gone" (a followed item)
};

}  // namespace heddle

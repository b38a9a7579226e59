// What changed about an item that is followed by its key, or about the text of a page. Plain
// values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.hpp"
#include "base/ids.hpp"
#include "base/time.hpp"
#include "model/run/item.hpp"
#include "model/run/significance.hpp"

namespace heddle {

enum class ChangeKind {
  item_changed,
  item_gone,
  item_back,
  text_added,  // lines of a page
  text_removed,
  text_changed,
};
std::string_view to_text(ChangeKind kind);  // "item.changed", as events are named
std::optional<ChangeKind> change_kind_from(std::string_view text);
bool is_of_text(ChangeKind kind);

// A field of an item that differs from what was stored, or lines of a page's text; one side is
// empty when there is no value.
struct FieldChange {
  std::string key;    // of the item, as text; of a text the URL of its page
  std::string field;  // "text" for a text
  std::string before;
  std::string after;
  Significance significance = Significance::medium;
  ChangeKind kind = ChangeKind::item_changed;
  std::string context{};  // of a text: the unchanged line in front of it

  bool operator==(const FieldChange&) const = default;
};

// A stored item as a page shows it now.
struct ItemUpdate {
  Hash128 key;
  Item item;
  bool is_back = false;  // it counted as gone
  std::vector<FieldChange> changes{};
};

// A stored change. An item that is gone or back has no field; a text has no item.
struct Change {
  std::int64_t id = 0;
  ChangeKind kind = ChangeKind::item_changed;
  WallTime at{};
  JobId job;
  RunId run;
  std::string url;  // of the page; empty: decided at the end of the run
  Item item;        // as it is stored now; no fields when it was removed
  std::int64_t item_id = 0;
  std::string field;
  std::string before;
  std::string after;
  Significance significance = Significance::medium;
  std::string context{};
};

}  // namespace heddle

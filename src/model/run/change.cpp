#include "model/run/change.hpp"

#include "model/names.hpp"

namespace heddle {

namespace {

constexpr NameTable<ChangeKind, 6> kChangeKinds{{{ChangeKind::item_changed, "item.changed"},
                                                 {ChangeKind::item_gone, "item.gone"},
                                                 {ChangeKind::item_back, "item.back"},
                                                 {ChangeKind::text_added, "text.added"},
                                                 {ChangeKind::text_removed, "text.removed"},
                                                 {ChangeKind::text_changed, "text.changed"}}};

}  // namespace

std::string_view to_text(ChangeKind kind) {
  return name_of(kChangeKinds, kind);
}

std::optional<ChangeKind> change_kind_from(std::string_view text) {
  return value_of(kChangeKinds, text);
}

bool is_of_text(ChangeKind kind) {
  return kind == ChangeKind::text_added || kind == ChangeKind::text_removed ||
         kind == ChangeKind::text_changed;
}

}  // namespace heddle

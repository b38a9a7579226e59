#include "model/run/change.hpp"

#include "model/names.hpp"

namespace heddle {

namespace {

constexpr NameTable<ChangeKind, 3> kChangeKinds{{{ChangeKind::item_changed, "item.changed"},
                                                 {ChangeKind::item_gone, "item.gone"},
                                                 {ChangeKind::item_back, "item.back"}}};

}  // namespace

std::string_view to_text(ChangeKind kind) {
  return name_of(kChangeKinds, kind);
}

std::optional<ChangeKind> change_kind_from(std::string_view text) {
  return value_of(kChangeKinds, text);
}

}  // namespace heddle

#include "model/run/change.hpp"

#include "model/names.hpp"

namespace heddle {

namespace {

constexpr NameTable<ChangeKind, 3> kChangeKinds{{{ChangeKind::item_changed, "item.changed"},
                                                 {ChangeKind::item_gone, "item.gone"},
                                                 {ChangeKind::item_back, "item.back"}}};

constexpr NameTable<Significance, 3> kSignificances{
    {{Significance::low, "low"}, {Significance::medium, "medium"}, {Significance::high, "high"}}};

}  // namespace

std::string_view to_text(ChangeKind kind) {
  return name_of(kChangeKinds, kind);
}

std::optional<ChangeKind> change_kind_from(std::string_view text) {
  return value_of(kChangeKinds, text);
}

std::string_view to_text(Significance significance) {
  return name_of(kSignificances, significance);
}

Significance significance_of(std::int64_t stored) {
  for (const auto& [value, name] : kSignificances)
    if (static_cast<std::int64_t>(value) == stored) return value;
  return Significance::medium;
}

}  // namespace heddle

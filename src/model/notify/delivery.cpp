#include "model/notify/delivery.hpp"

#include "model/names.hpp"

namespace heddle {

namespace {

constexpr NameTable<DeliveryKind, 2> kKinds{
    {{DeliveryKind::webhook, "webhook"}, {DeliveryKind::desktop, "desktop"}}};

}  // namespace

std::string_view to_text(DeliveryKind kind) {
  return name_of(kKinds, kind);
}
std::optional<DeliveryKind> delivery_kind_from(std::string_view text) {
  return value_of(kKinds, text);
}

}  // namespace heddle

#include "model/notify/dead_letter.hpp"

#include "model/names.hpp"

namespace heddle {

namespace {

constexpr NameTable<DeadLetterOrigin, 2> kOrigins{
    {{DeadLetterOrigin::page, "page"}, {DeadLetterOrigin::delivery, "delivery"}}};

}  // namespace

std::string_view to_text(DeadLetterOrigin origin) {
  return name_of(kOrigins, origin);
}

std::optional<DeadLetterOrigin> dead_letter_origin_from(std::string_view text) {
  return value_of(kOrigins, text);
}

}  // namespace heddle

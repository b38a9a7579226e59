#include "model/dead_letter.hpp"

#include "model/names.hpp"

namespace heddle {

namespace {

constexpr NameTable<LetterOrigin, 2> kOrigins{
    {{LetterOrigin::page, "page"}, {LetterOrigin::delivery, "delivery"}}};

}  // namespace

std::string_view to_text(LetterOrigin origin) {
  return name_of(kOrigins, origin);
}

std::optional<LetterOrigin> letter_origin_from(std::string_view text) {
  return value_of(kOrigins, text);
}

}  // namespace heddle

#include "html/parser/quirks.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "html/parser/tokenizer/characters.hpp"

namespace heddle::html::parser {

namespace {

constexpr auto kQuirkyIds = std::to_array<std::string_view>({
    "-//w3o//dtd w3 html strict 3.0//en//",
    "-/w3c/dtd html 4.0 transitional/en",
    "html",
});

constexpr auto kQuirkyPrefixes = std::to_array<std::string_view>({
    "+//silmaril//dtd html pro v0r11 19970101//",
    "-//as//dtd html 3.0 aswedit + extensions//",
    "-//advasoft ltd//dtd html 3.0 aswedit + extensions//",
    "-//ietf//dtd html 2.0 level 1//",
    "-//ietf//dtd html 2.0 level 2//",
    "-//ietf//dtd html 2.0 strict level 1//",
    "-//ietf//dtd html 2.0 strict level 2//",
    "-//ietf//dtd html 2.0 strict//",
    "-//ietf//dtd html 2.0//",
    "-//ietf//dtd html 2.1e//",
    "-//ietf//dtd html 3.0//",
    "-//ietf//dtd html 3.2 final//",
    "-//ietf//dtd html 3.2//",
    "-//ietf//dtd html 3//",
    "-//ietf//dtd html level 0//",
    "-//ietf//dtd html level 1//",
    "-//ietf//dtd html level 2//",
    "-//ietf//dtd html level 3//",
    "-//ietf//dtd html strict level 0//",
    "-//ietf//dtd html strict level 1//",
    "-//ietf//dtd html strict level 2//",
    "-//ietf//dtd html strict level 3//",
    "-//ietf//dtd html strict//",
    "-//ietf//dtd html//",
    "-//metrius//dtd metrius presentational//",
    "-//microsoft//dtd internet explorer 2.0 html strict//",
    "-//microsoft//dtd internet explorer 2.0 html//",
    "-//microsoft//dtd internet explorer 2.0 tables//",
    "-//microsoft//dtd internet explorer 3.0 html strict//",
    "-//microsoft//dtd internet explorer 3.0 html//",
    "-//microsoft//dtd internet explorer 3.0 tables//",
    "-//netscape comm. corp.//dtd html//",
    "-//netscape comm. corp.//dtd strict html//",
    "-//o'reilly and associates//dtd html 2.0//",
    "-//o'reilly and associates//dtd html extended 1.0//",
    "-//o'reilly and associates//dtd html extended relaxed 1.0//",
    "-//sq//dtd html 2.0 hotmetal + extensions//",
    "-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//",
    "-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//",
    "-//spyglass//dtd html 2.0 extended//",
    "-//sun microsystems corp.//dtd hotjava html//",
    "-//sun microsystems corp.//dtd hotjava strict html//",
    "-//w3c//dtd html 3 1995-03-24//",
    "-//w3c//dtd html 3.2 draft//",
    "-//w3c//dtd html 3.2 final//",
    "-//w3c//dtd html 3.2//",
    "-//w3c//dtd html 3.2s draft//",
    "-//w3c//dtd html 4.0 frameset//",
    "-//w3c//dtd html 4.0 transitional//",
    "-//w3c//dtd html experimental 19960712//",
    "-//w3c//dtd html experimental 970421//",
    "-//w3c//dtd w3 html//",
    "-//w3o//dtd w3 html 3.0//",
    "-//webtechs//dtd mozilla html 2.0//",
    "-//webtechs//dtd mozilla html//",
});

// Quirks mode only without a system identifier.
constexpr auto kQuirkyPrefixesAlone = std::to_array<std::string_view>({
    "-//w3c//dtd html 4.01 frameset//",
    "-//w3c//dtd html 4.01 transitional//",
});

constexpr std::string_view kQuirkySystemId =
    "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd";

bool starts_with_lower(std::string_view text, std::string_view lower) {
  return text.size() >= lower.size() &&
         std::equal(lower.begin(), lower.end(), text.begin(),
                    [](char wanted, char byte) { return to_lower(byte) == wanted; });
}

bool is_lower(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() && starts_with_lower(text, lower);
}

}  // namespace

bool requires_quirks_mode(const Token& doctype, bool is_named_html) {
  const std::string_view id = doctype.public_id;
  const auto starts_id = [&](std::string_view prefix) { return starts_with_lower(id, prefix); };
  const auto is_id = [&](std::string_view known_id) { return is_lower(id, known_id); };
  return doctype.forces_quirks || !is_named_html || is_lower(doctype.system_id, kQuirkySystemId) ||
         std::any_of(kQuirkyIds.begin(), kQuirkyIds.end(), is_id) ||
         std::any_of(kQuirkyPrefixes.begin(), kQuirkyPrefixes.end(), starts_id) ||
         (!doctype.has_system_id &&
          std::any_of(kQuirkyPrefixesAlone.begin(), kQuirkyPrefixesAlone.end(), starts_id));
}

}  // namespace heddle::html::parser

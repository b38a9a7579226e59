// Compiles I-Regexps (RFC 9485), the regular expressions of JSONPath, with RE2. Pure.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace heddle::pages {

// The same expression in RE2's syntax; nullopt when the text is no I-Regexp. "^" and "$" are
// anchors, as in the RFC's mapping to other dialects.
std::optional<std::string> translate_i_regexp(std::string_view text);

// nullptr when the text is no I-Regexp, or one that needs too much memory.
std::shared_ptr<const re2::RE2> compile_i_regexp(std::string_view text);

}  // namespace heddle::pages

// Tables of the selector language's keywords.
#pragma once

#include <array>
#include <string_view>

#include "html/selector_program.hpp"

namespace heddle::html {

inline constexpr auto kPseudoClasses = std::to_array<std::string_view>({
    ":not",          ":is",
    ":where",        ":has",
    ":nth-child",    ":nth-last-child",
    ":nth-of-type",  ":nth-last-of-type",
    ":first-child",  ":last-child",
    ":only-child",   ":first-of-type",
    ":last-of-type", ":only-of-type",
    ":empty",        ":root",
    ":scope",        ":contains",
    ":contains-own",
});

// Attributes whose values HTML selectors compare case-insensitively unless "s" is given.
inline constexpr auto kCaselessAttributes = std::to_array<std::string_view>({
    "accept",     "accept-charset", "align",     "alink",    "axis",     "bgcolor", "charset",
    "checked",    "clear",          "codetype",  "color",    "compact",  "declare", "defer",
    "dir",        "direction",      "disabled",  "enctype",  "face",     "frame",   "hreflang",
    "http-equiv", "lang",           "language",  "link",     "media",    "method",  "multiple",
    "nohref",     "noresize",       "noshade",   "nowrap",   "readonly", "rel",     "rev",
    "rules",      "scope",          "scrolling", "selected", "shape",    "target",  "text",
    "type",       "valign",         "valuetype", "vlink",
});

struct AttributeOperator {
  std::string_view text;
  AttributeMatch match;
};
inline constexpr auto kAttributeOperators = std::to_array<AttributeOperator>({
    {"=", AttributeMatch::equals},
    {"~=", AttributeMatch::has_word},
    {"|=", AttributeMatch::has_language},
    {"^=", AttributeMatch::starts_with},
    {"$=", AttributeMatch::ends_with},
    {"*=", AttributeMatch::has_part},
});

struct NthKind {
  std::string_view name;
  bool from_end;
  bool of_type;
};
inline constexpr auto kNthKinds = std::to_array<NthKind>({
    {"nth-child", false, false},
    {"nth-last-child", true, false},
    {"nth-of-type", false, true},
    {"nth-last-of-type", true, true},
});
inline constexpr auto kEdgeKinds = std::to_array<NthKind>({
    {"first-child", false, false},
    {"last-child", true, false},
    {"first-of-type", false, true},
    {"last-of-type", true, true},
});

}  // namespace heddle::html

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
    ":contains-own", ":lang",
    ":link",         ":any-link",
    ":checked",      ":disabled",
    ":enabled",
});

// Pseudo-classes of static pages, in terms of other selectors.
struct SelectorAlias {
  std::string_view name;
  std::string_view meaning;
};
inline constexpr auto kSelectorAliases = std::to_array<SelectorAlias>({
    {"link", "a[href], area[href]"},
    {"any-link", "a[href], area[href]"},
    // A drop-down list without a selected option shows its first one that is not disabled.
    {"checked",
     "input:is([type=checkbox], [type=radio])[checked], option[selected],"
     "select:not([multiple], [size], :has(option[selected])) >"
     " option:nth-child(1 of option:not([disabled]))"},
    {"disabled",
     ":is(button, input, select, textarea, optgroup, option, fieldset)[disabled],"
     "optgroup[disabled] > option,"
     "fieldset[disabled] :is(button, input, select, textarea, fieldset)"
     ":not(fieldset[disabled] > legend:nth-child(1 of legend) *)"},
    {"enabled", ":is(button, input, select, textarea, optgroup, option, fieldset):not(:disabled)"},
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

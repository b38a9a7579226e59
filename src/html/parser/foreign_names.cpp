#include "html/parser/foreign_names.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "html/parser/tokenizer/characters.hpp"
#include "html/parser/tree_builder.hpp"

namespace heddle::html::parser {

namespace {

// All tables are sorted by their lower-case form.
constexpr auto kSvgTags = std::to_array<std::string_view>({
    "altGlyph",
    "altGlyphDef",
    "altGlyphItem",
    "animateColor",
    "animateMotion",
    "animateTransform",
    "clipPath",
    "feBlend",
    "feColorMatrix",
    "feComponentTransfer",
    "feComposite",
    "feConvolveMatrix",
    "feDiffuseLighting",
    "feDisplacementMap",
    "feDistantLight",
    "feDropShadow",
    "feFlood",
    "feFuncA",
    "feFuncB",
    "feFuncG",
    "feFuncR",
    "feGaussianBlur",
    "feImage",
    "feMerge",
    "feMergeNode",
    "feMorphology",
    "feOffset",
    "fePointLight",
    "feSpecularLighting",
    "feSpotLight",
    "feTile",
    "feTurbulence",
    "foreignObject",
    "glyphRef",
    "linearGradient",
    "radialGradient",
    "textPath",
});

constexpr auto kSvgAttributes = std::to_array<std::string_view>({
    "attributeName",
    "attributeType",
    "baseFrequency",
    "baseProfile",
    "calcMode",
    "clipPathUnits",
    "diffuseConstant",
    "edgeMode",
    "filterUnits",
    "glyphRef",
    "gradientTransform",
    "gradientUnits",
    "kernelMatrix",
    "kernelUnitLength",
    "keyPoints",
    "keySplines",
    "keyTimes",
    "lengthAdjust",
    "limitingConeAngle",
    "markerHeight",
    "markerUnits",
    "markerWidth",
    "maskContentUnits",
    "maskUnits",
    "numOctaves",
    "pathLength",
    "patternContentUnits",
    "patternTransform",
    "patternUnits",
    "pointsAtX",
    "pointsAtY",
    "pointsAtZ",
    "preserveAlpha",
    "preserveAspectRatio",
    "primitiveUnits",
    "refX",
    "refY",
    "repeatCount",
    "repeatDur",
    "requiredExtensions",
    "requiredFeatures",
    "specularConstant",
    "specularExponent",
    "spreadMethod",
    "startOffset",
    "stdDeviation",
    "stitchTiles",
    "surfaceScale",
    "systemLanguage",
    "tableValues",
    "targetX",
    "targetY",
    "textLength",
    "viewBox",
    "viewTarget",
    "xChannelSelector",
    "yChannelSelector",
    "zoomAndPan",
});

constexpr auto kMathAttributes = std::to_array<std::string_view>({"definitionURL"});

struct NamespacedName {
  std::string_view name;
  AttributeSpace space;
};

constexpr auto kSpacedNames = std::to_array<NamespacedName>({
    {"xlink:actuate", AttributeSpace::xlink},
    {"xlink:arcrole", AttributeSpace::xlink},
    {"xlink:href", AttributeSpace::xlink},
    {"xlink:role", AttributeSpace::xlink},
    {"xlink:show", AttributeSpace::xlink},
    {"xlink:title", AttributeSpace::xlink},
    {"xlink:type", AttributeSpace::xlink},
    {"xml:lang", AttributeSpace::xml},
    {"xml:space", AttributeSpace::xml},
    {"xmlns", AttributeSpace::xmlns},
    {"xmlns:xlink", AttributeSpace::xmlns},
});

// Less than, ignoring the case of the left side; the right side is lower-case already.
constexpr bool is_lower_less(std::string_view mixed, std::string_view lower) {
  for (std::size_t i = 0; i < mixed.size() && i < lower.size(); ++i)
    if (to_lower(mixed[i]) != lower[i]) return to_lower(mixed[i]) < lower[i];
  return mixed.size() < lower.size();
}

// The table's name that equals this one ignoring case; empty when there is none.
template <std::size_t N>
std::string_view spelled(const std::array<std::string_view, N>& table, std::string_view lower) {
  const auto found = std::lower_bound(table.begin(), table.end(), lower, is_lower_less);
  if (found == table.end() || found->size() != lower.size()) return {};
  const bool is_same = std::equal(found->begin(), found->end(), lower.begin(),
                                  [](char left, char right) { return to_lower(left) == right; });
  return is_same ? *found : std::string_view();
}

// No entry of these tables is a well-known name in lower case.
template <std::size_t N>
constexpr bool is_hidden_from_known_names(const std::array<std::string_view, N>& table) {
  for (const std::string_view name : table) {
    std::array<char, 32> lower{};
    for (std::size_t i = 0; i < name.size(); ++i) lower[i] = to_lower(name[i]);
    if (find_known_name({lower.data(), name.size()}) != kNoName) return false;
  }
  return true;
}
static_assert(is_hidden_from_known_names(kSvgTags));
static_assert(is_hidden_from_known_names(kSvgAttributes));

template <std::size_t N>
NameId respelled(TreeBuilder& builder, const std::array<std::string_view, N>& table, NameId name) {
  if (name < kKnownNames.size()) return name;
  const std::string_view right = spelled(table, builder.name(name));
  return right.empty() ? name : builder.intern(right);
}

AttributeSpace space_of(std::string_view name) {
  if (!name.starts_with("x")) return AttributeSpace::none;
  for (const NamespacedName& spaced : kSpacedNames)
    if (spaced.name == name) return spaced.space;
  return AttributeSpace::none;
}

}  // namespace

NameId svg_tag_name(TreeBuilder& builder, NameId tag) {
  return respelled(builder, kSvgTags, tag);
}

void adjust_foreign_attributes(TreeBuilder& builder, const Token& token, Namespace space) {
  for (std::uint32_t i = 0; i < token.attributes.count; ++i) {
    RawAttribute& attribute = builder.attributes()[token.attributes.begin + i];
    attribute.name = space == Namespace::svg ? respelled(builder, kSvgAttributes, attribute.name)
                                             : respelled(builder, kMathAttributes, attribute.name);
    attribute.space = space_of(builder.name(attribute.name));
  }
}

}  // namespace heddle::html::parser

// TagRules maps tag names to rules; names that are not well known share the rule of index 0.
#pragma once

#include <array>
#include <initializer_list>
#include <string_view>

#include "html/names.hpp"
#include "html/parser/insertion_modes.hpp"

namespace heddle::html::parser {

class TagRules {
 public:
  constexpr explicit TagRules(ModeRules otherwise) {
    for (ModeRules& rule : rules_) rule = otherwise;
  }

  constexpr TagRules& set(std::initializer_list<std::string_view> names, ModeRules rule) {
    for (const std::string_view name : names) {
      const NameId id = find_known_name(name);
      if (id == kNoName) throw "add this name to kKnownNames";
      rules_[id] = rule;
    }
    return *this;
  }

  [[nodiscard]] ModeRules of(NameId tag) const {
    return rules_[tag < rules_.size() ? tag : kNoName];
  }

 private:
  std::array<ModeRules, kKnownNames.size()> rules_{};
};

}  // namespace heddle::html::parser

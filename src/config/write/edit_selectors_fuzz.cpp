// Any TOML document: what edit_selectors() returns has the new values, and all others as before.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "config/read/values/toml_value.hpp"
#include "config/write/edit_selectors.hpp"

namespace heddle::config {
namespace {

constexpr std::string_view kSelector = "[data-x=\"new\"]";

void require(bool is_true) {
  if (!is_true) std::abort();
}

void check(const TomlTable& before, std::string_view edited, const SelectorEdit& edit) {
  const auto parsed = parse_toml(edited);
  const auto* document = std::get_if<TomlValue>(&parsed);
  require(document != nullptr);
  const TomlTable& after = *document->table();
  require(after.size() == before.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    require(after[i].name == before[i].name);
    if (before[i].name == "selector" && edit.selector_line > 0)
      require(*after[i].value.text() == kSelector);
    else if (before[i].name == "fields" && edit.fields_line > 0)
      require(after[i].value.list()->size() == before[i].value.list()->size());
    else
      require(to_toml(after[i].value) == to_toml(before[i].value));
  }
}

void try_text(std::string_view text) {
  const auto parsed = parse_toml(text);
  const auto* document = std::get_if<TomlValue>(&parsed);
  if (document == nullptr) return;
  const TomlTable& before = *document->table();
  SelectorEdit edit;
  const TomlValue* selector = find_entry(before, "selector");
  if (selector != nullptr && selector->text() != nullptr) {
    edit.selector_line = selector->line;
    edit.selector = kSelector;
  }
  const TomlValue* fields = find_entry(before, "fields");
  if (fields != nullptr && fields->list() != nullptr) {
    edit.fields_line = fields->line;
    FieldRule rule;
    rule.name = "a # \"b\"";
    rule.selector = "c ] d";
    for (std::size_t i = 0; i < fields->list()->size(); ++i)
      edit.fields.push_back(i % 2 == 0 ? std::optional(rule) : std::nullopt);
  }
  if (const auto edited = edit_selectors(text, edit)) check(before, *edited, edit);
}

}  // namespace
}  // namespace heddle::config

// NOLINTNEXTLINE(readability-identifier-naming): the name libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  heddle::config::try_text({reinterpret_cast<const char*>(data), size});
  return 0;
}

#include "pages/classify/page_class.hpp"

#include <array>

namespace heddle::pages {

namespace {

constexpr std::array<std::string_view, 11> kNames = {
    "product", "collection", "listing",  "article", "documentation", "forum",
    "service", "error_page", "bot_wall", "login",   "generic"};

}  // namespace

std::string_view to_text(PageClass page_class) {
  return kNames[static_cast<std::size_t>(page_class)];
}

std::optional<PageClass> page_class_named(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == name) return static_cast<PageClass>(i);
  return std::nullopt;
}

std::string signals_text(const ClassifiedPage& page) {
  std::string text;
  std::size_t count = 0;
  for (const ClassSignal& signal : page.signals) {
    if (++count > 5) break;
    if (!text.empty()) text += ", ";
    text += signal.text;
  }
  return text;
}

}  // namespace heddle::pages

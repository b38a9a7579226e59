#include "script/library/bindings/html_documents.hpp"

#include <algorithm>

namespace heddle::script {
namespace {

constexpr std::size_t kMaxSelectors = 32;
constexpr std::size_t kMaxKeptCss = 1'000;  // bytes; longer ones are compiled each time

}  // namespace

Result<html::Selector> SelectorCache::get(std::string_view css) {
  const auto known =
      std::find_if(selectors_.begin(), selectors_.end(),
                   [css](const html::Selector& selector) { return selector.css() == css; });
  if (known != selectors_.end()) {
    std::rotate(selectors_.begin(), known, known + 1);
    return selectors_.front();
  }
  auto selector = html::Selector::compile(css);
  if (!selector || css.size() > kMaxKeptCss) return selector;
  if (selectors_.size() == kMaxSelectors) selectors_.pop_back();
  selectors_.insert(selectors_.begin(), *selector);
  return selector;
}

}  // namespace heddle::script

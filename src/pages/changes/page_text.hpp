// Reads the text of a page whose changes count: without navigation, footers, cookie bars and what
// the job ignores. Pure.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "html/selector.hpp"
#include "model/job/job.hpp"
#include "model/run/change.hpp"
#include "pages/source/source_document.hpp"
#include "pages/source/source_rules.hpp"

namespace heddle::pages {

// Which text of a page counts, and which of its changes are reported, compiled. Immutable;
// shareable by threads.
struct TextRules {
  using Expressions = std::vector<std::shared_ptr<const re2::RE2>>;

  std::vector<html::Selector> ignore;
  Expressions ignore_text;
  std::vector<html::Selector> trigger;
  Expressions trigger_text;
  Significance min_significance = Significance::low;

  static Result<TextRules> compile(const ChangeRule& rule);

  [[nodiscard]] bool leaves_out() const { return !ignore.empty() || !ignore_text.empty(); }
  // Whether a change of the text, or of a field, is reported. All are stored.
  [[nodiscard]] bool tells(const FieldChange& change) const;
};

struct PageText {
  std::string text;          // a line for each block; of JSON one for each value
  std::string trigger_text;  // of the parts that `trigger` selects
  std::size_t matches = 1;   // of the container of the rules; 1 when there is none
  bool is_whole = false;     // the page has hardly anything but navigation and the like: it counts
};

// With a container in `source` only its matches count, and all of them. `is_whole`: as another text
// was read that this one is compared with; nullopt: decides. Fails (bad_input) only when page and
// selectors together exceed the budget of a page.
Result<PageText> read_page_text(const SourceDocument& document, const SourceRules& source,
                                const TextRules& rules, std::optional<bool> is_whole = {});

// As readable_text() of the whole page without what the rules leave out.
Result<std::string> text_without_ignored(const SourceDocument& document, const TextRules& rules);

// Plain text has lines of its own, which HTML does not: by content type or, when that is not known,
// because there is no markup.
bool is_plain_text(std::string_view content_type, std::string_view body);

}  // namespace heddle::pages

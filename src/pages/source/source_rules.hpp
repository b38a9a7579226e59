// SourceRules is how a job reads its pages, compiled: format, container and fields. Immutable;
// reused for every page of the job and shareable by threads.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/job/job.hpp"
#include "pages/source/source_selector.hpp"

namespace re2 {
class RE2;
}

namespace heddle::pages {

struct FieldPlan {
  FieldRule rule;
  std::optional<SourceSelector> selector;  // none: the container itself
  bool is_link = false;                    // the attribute holds a URL: made absolute
  std::shared_ptr<const re2::RE2> regex;   // none: the whole text
};

// The element of an HTML page whose text or attribute is the JSON that selectors read.
struct EmbeddedJson {
  SourceSelector element;
  std::string attribute;  // empty: the text
};

struct SourceRules {
  PageFormat format = PageFormat::detected;
  bool reads_json = false;  // the selectors are JSONPaths
  std::optional<EmbeddedJson> embedded;
  std::optional<SourceSelector> container;  // none: the whole page is one item
  std::vector<FieldPlan> fields;

  static Result<SourceRules> compile(const Job& job);
};

// Why the kinds of selectors, format and json_in of a job do not fit together; empty when they do.
std::string conflict_of_selectors(const Job& job);

}  // namespace heddle::pages

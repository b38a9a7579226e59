// JobPlan is a compiled job: selectors, expressions and filters, reused for every page.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "base/result.hpp"
#include "base/secrets/secret_mask.hpp"
#include "html/selector.hpp"
#include "model/job/job.hpp"
#include "pages/keyword_filter.hpp"

namespace re2 {
class RE2;
}

namespace heddle::pipeline {

struct FieldPlan {
  FieldRule rule;
  std::optional<html::Selector> selector;  // none: the container itself
  bool is_link = false;                    // the attribute holds a URL: made absolute
  std::shared_ptr<const re2::RE2> regex;   // none: the whole text
};

// Immutable; shared by all cycles of the job.
struct JobPlan {
  Job job;
  std::optional<html::Selector> container;  // none: the whole page is one item
  std::vector<FieldPlan> fields;
  pages::KeywordFilter keywords;
  bool has_typed_fields = false;
  Hash128 rules_hash;       // of everything that affects which items a page has
  SecretMask secrets;       // of the job
  SecretMask page_secrets;  // those that are replaced in the content of pages, too

  static Result<JobPlan> compile(Job job);
};

}  // namespace heddle::pipeline

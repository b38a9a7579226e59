// JobPlan is a compiled job: selectors, expressions and filters, reused for every page.
#pragma once

#include "base/hash.hpp"
#include "base/result.hpp"
#include "base/secrets/secret_mask.hpp"
#include "model/job/job.hpp"
#include "pages/keyword_filter.hpp"
#include "pages/source/source_rules.hpp"

namespace heddle::pipeline {

// Immutable; shared by all cycles of the job.
struct JobPlan {
  Job job;
  pages::SourceRules items;
  pages::KeywordFilter keywords;
  bool has_typed_fields = false;
  Hash128 rules_hash;       // of everything that affects which items a page has
  SecretMask secrets;       // of the job
  SecretMask page_secrets;  // those that are replaced in the content of pages, too

  static Result<JobPlan> compile(Job job);
};

}  // namespace heddle::pipeline

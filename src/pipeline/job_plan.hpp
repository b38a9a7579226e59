// JobPlan is a compiled job: selectors, expressions and filters, reused for every page.
#pragma once

#include <unordered_set>

#include "base/hash.hpp"
#include "base/result.hpp"
#include "base/secrets/secret_mask.hpp"
#include "model/job/job.hpp"
#include "model/run/item.hpp"
#include "pages/changes/page_text.hpp"
#include "pages/keyword_filter.hpp"
#include "pages/source/source_rules.hpp"

namespace heddle::pipeline {

// Immutable; shared by all cycles of the job.
struct JobPlan {
  Job job;
  pages::SourceRules items;
  pages::TextRules text;
  pages::KeywordFilter keywords;
  bool has_typed_fields = false;
  Hash128 rules_hash;       // of everything that affects which items a page has
  Hash128 fields_hash;      // of what decides the fields of an item and its identity
  SecretMask secrets;       // of the job
  SecretMask page_secrets;  // those that are replaced in the content of pages, too
  // Of the normal forms of the job's own URLs, when it discovers others.
  std::unordered_set<Hash128> own_visits;

  static Result<JobPlan> compile(Job job);

  // A job whose configuration says nothing about items, nor its script: the text is watched.
  void watch_text();

  // Whether items are followed over time by the fields of `key`.
  [[nodiscard]] bool follows_items() const { return !job.key.empty(); }
  // The item's identity within the job.
  [[nodiscard]] Hash128 key_of(const Item& item) const {
    return item_key(job.id, item, follows_items() ? job.key : job.hash_fields);
  }
  // Of key and all fields whose differences count: tells items with the same key apart, whatever
  // their order on the page.
  [[nodiscard]] Hash128 own_key_of(const Item& item) const {
    ListHasher hasher;
    hasher.add(key_of(item));
    hasher.add(item_key(job.id, item, job.hash_fields));
    return hasher.finish();
  }
};

}  // namespace heddle::pipeline

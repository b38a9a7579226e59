#include "pipeline/job_plan.hpp"

#include <algorithm>

#include "pages/discover/visit_url.hpp"

namespace heddle::pipeline {

namespace {

// Increase when the same page and configuration give different items.
constexpr std::string_view kExtractorVersion = "4";

class RulesHasher {
 public:
  void add(std::string_view text) { hasher_.add(text); }

  template <class Enum>
  void add_enum(Enum value) {
    hasher_.add(std::to_string(static_cast<int>(value)));
  }

  void add_list(const std::vector<std::string>& list) {
    add(std::to_string(list.size()));
    for (const std::string& entry : list) add(entry);
  }

  void add_field(const FieldRule& rule) {
    add(rule.name);
    add(rule.selector);
    add_enum(rule.kind);
    add(rule.attribute);
    add_enum(rule.type);
    add(rule.regex);
    add(rule.fallback);
    add(rule.join ? "joined by " + *rule.join : "first");
  }

  Hash128 finish() { return hasher_.finish(); }

 private:
  ListHasher hasher_;
};

void add_fields(RulesHasher& hasher, const Job& job) {
  hasher.add(kExtractorVersion);
  hasher.add_enum(job.watch);
  hasher.add_enum(job.format);
  hasher.add(job.json_in.selector);
  hasher.add_enum(job.json_in.kind);
  hasher.add(job.json_in.attribute);
  for (const auto& [prefix, uri] : job.namespaces) hasher.add(prefix + "=" + uri);
  hasher.add(job.selector);
  for (const FieldRule& rule : job.fields) hasher.add_field(rule);
  if (!job.changes.ignore.empty()) hasher.add_list(job.changes.ignore);
  if (!job.changes.ignore_text.empty()) hasher.add_list(job.changes.ignore_text);
}

// A page that has not changed is not judged again by its text and items.
void add_expectations(RulesHasher& hasher, const ExpectRule& rule) {
  const bool has_rules = !rule.contains.empty() || !rule.not_contains.empty() || rule.min_items;
  if (!has_rules) return;  // the hash is that of earlier versions
  hasher.add_list(rule.contains);
  hasher.add_list(rule.not_contains);
  hasher.add(std::to_string(rule.min_items.value_or(0)));
}

Hash128 hash_rules(const Job& job) {
  RulesHasher hasher;
  add_fields(hasher, job);
  hasher.add_list(job.keywords);
  hasher.add_list(job.search_fields);
  hasher.add_list(job.hash_fields);
  hasher.add_list(job.key);
  add_expectations(hasher, job.expect);
  return hasher.finish();
}

Hash128 hash_fields(const Job& job) {
  RulesHasher hasher;
  add_fields(hasher, job);
  // With a key, hash_fields only say which differences count.
  hasher.add_list(job.key.empty() ? job.hash_fields : job.key);
  return hasher.finish();
}

std::unordered_set<Hash128> own_visits_of(const Job& job) {
  std::unordered_set<Hash128> visits;
  if (!job.discover.is_enabled) return visits;
  for (const std::string& text : job.urls) {
    const auto resolved = resolve_references(text, job.secrets);
    const auto url = Url::parse(resolved ? *resolved : text);
    if (url) visits.insert(hash128(pages::normalize_for_visit(*url)));
  }
  return visits;
}

}  // namespace

Result<JobPlan> JobPlan::compile(Job job) {
  auto items = pages::SourceRules::compile(job);
  if (!items) return std::move(items).error();
  auto text = pages::TextRules::compile(job.changes);
  if (!text) return std::move(text).error();
  const bool has_typed_fields = std::ranges::any_of(
      job.fields, [](const FieldRule& rule) { return rule.type != FieldType::text; });
  pages::KeywordFilter keywords(job.keywords, job.search_fields);
  const Hash128 rules_hash = hash_rules(job);
  const Hash128 fields_hash = hash_fields(job);
  std::vector<Secret> in_pages;
  for (const Secret& secret : job.secrets)
    if (secret.in_pages) in_pages.push_back(secret);
  SecretMask secrets(job.secrets);
  auto own_visits = own_visits_of(job);
  return JobPlan{std::move(job),       *std::move(items),    *std::move(text), std::move(keywords),
                 has_typed_fields,     rules_hash,           fields_hash,      std::move(secrets),
                 SecretMask(in_pages), std::move(own_visits)};
}

void JobPlan::watch_text() {
  job.watch = WatchKind::text;
  rules_hash = hash_rules(job);
  fields_hash = hash_fields(job);
}

}  // namespace heddle::pipeline

#include "pipeline/job_plan.hpp"

#include <re2/re2.h>

#include "html/links.hpp"

namespace heddle::pipeline {

namespace {

// Increase when the same page and configuration give different items.
constexpr std::string_view kExtractorVersion = "3";

Hash128 hash_rules(const Job& job) {
  ListHasher hasher;
  const auto add_list = [&hasher](const std::vector<std::string>& list) {
    hasher.add(std::to_string(list.size()));
    for (const std::string& entry : list) hasher.add(entry);
  };
  hasher.add(kExtractorVersion);
  hasher.add(job.selector);
  for (const FieldRule& rule : job.fields) {
    hasher.add(rule.name);
    hasher.add(rule.selector);
    hasher.add(rule.attribute);
    hasher.add(std::to_string(static_cast<int>(rule.type)));
    hasher.add(rule.regex);
  }
  add_list(job.keywords);
  add_list(job.search_fields);
  add_list(job.hash_fields);
  add_list(job.key);
  return hasher.finish();
}

Result<FieldPlan> compile_field(const FieldRule& rule) {
  FieldPlan plan;
  plan.rule = rule;
  plan.is_link = html::is_url_attribute(rule.attribute);
  if (!rule.selector.empty()) {
    auto selector = html::Selector::compile(rule.selector);
    if (!selector) return std::move(selector.error()).during("field '" + rule.name + "'");
    plan.selector = std::move(*selector);
  }
  if (!rule.regex.empty()) {
    auto regex = std::make_shared<re2::RE2>(rule.regex, re2::RE2::Quiet);
    if (!regex->ok())
      return Error{ErrorCode::bad_input, "field '" + rule.name + "': regex: " + regex->error()};
    plan.regex = std::move(regex);
  }
  return plan;
}

}  // namespace

Result<JobPlan> JobPlan::compile(Job job) {
  std::optional<html::Selector> container;
  if (!job.selector.empty()) {
    auto selector = html::Selector::compile(job.selector);
    if (!selector) return std::move(selector.error()).during("selector");
    container = std::move(*selector);
  }
  std::vector<FieldPlan> fields;
  bool has_typed_fields = false;
  for (const FieldRule& rule : job.fields) {
    auto field = compile_field(rule);
    if (!field) return std::move(field.error());
    has_typed_fields |= rule.type != FieldType::text;
    fields.push_back(std::move(*field));
  }
  pages::KeywordFilter keywords(job.keywords, job.search_fields);
  const Hash128 rules_hash = hash_rules(job);
  std::vector<Secret> in_pages;
  for (const Secret& secret : job.secrets)
    if (secret.in_pages) in_pages.push_back(secret);
  SecretMask secrets(job.secrets);
  return JobPlan{std::move(job),   std::move(container), std::move(fields),  std::move(keywords),
                 has_typed_fields, rules_hash,           std::move(secrets), SecretMask(in_pages)};
}

}  // namespace heddle::pipeline

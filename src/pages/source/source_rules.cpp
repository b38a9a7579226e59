#include "pages/source/source_rules.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <re2/re2.h>

#include "html/links.hpp"

namespace heddle::pages {

namespace {

bool is_json(PageFormat format) {
  return format == PageFormat::json || format == PageFormat::json_lines;
}

html::XPathPrefixes prefixes_of(const Job& job) {
  return {job.namespaces.begin(), job.namespaces.end()};
}

Result<FieldPlan> compile_field(const FieldRule& rule, const html::XPathPrefixes& prefixes) {
  FieldPlan field;
  field.rule = rule;
  field.is_link = html::is_url_attribute(rule.attribute);
  if (!rule.selector.empty()) {
    auto selector = SourceSelector::compile(rule.kind, rule.selector, prefixes);
    if (!selector) return std::move(selector.error()).during("field '" + rule.name + "'");
    field.selector = *std::move(selector);
  }
  if (rule.regex.empty()) return field;
  auto regex = std::make_shared<re2::RE2>(rule.regex, re2::RE2::Quiet);
  if (!regex->ok())
    return Error{ErrorCode::bad_input, "field '" + rule.name + "': regex: " + regex->error()};
  field.regex = std::move(regex);
  return field;
}

Result<SourceSelector> compile_container(const Job& job, const html::XPathPrefixes& prefixes) {
  auto selector = SourceSelector::compile(selector_kind(job.selector), job.selector, prefixes);
  if (!selector) return std::move(selector.error()).during("selector");
  const html::XPath* xpath = selector->xpath();
  if (xpath != nullptr && !xpath->returns_nodes())
    return Error{ErrorCode::bad_input,
                 "selector: the XPath expression gives a value, expected elements"};
  return selector;
}

// How many of the job's selectors are JSONPaths, and how many are of another kind.
struct KindCounts {
  int json_paths = 0;
  int others = 0;

  void add(SelectorKind kind) { ++(kind == SelectorKind::json_path ? json_paths : others); }
};

KindCounts count_kinds(const Job& job) {
  KindCounts counts;
  if (!job.selector.empty()) counts.add(selector_kind(job.selector));
  for (const FieldRule& rule : job.fields)
    if (!rule.selector.empty()) counts.add(rule.kind);
  return counts;
}

}  // namespace

Result<SourceRules> SourceRules::compile(const Job& job) {
  if (auto conflict = conflict_of_selectors(job); !conflict.empty())
    return Error{ErrorCode::bad_input, std::move(conflict)};
  const html::XPathPrefixes prefixes = prefixes_of(job);
  SourceRules rules;
  rules.format = job.format;
  rules.reads_json = count_kinds(job).json_paths > 0 || is_json(job.format);
  if (!job.json_in.selector.empty()) {
    auto element = SourceSelector::compile(job.json_in.kind, job.json_in.selector, prefixes);
    if (!element) return std::move(element.error()).during("json_in");
    rules.embedded = EmbeddedJson{*std::move(element), job.json_in.attribute};
  }
  if (!job.selector.empty()) {
    auto container = compile_container(job, prefixes);
    if (!container) return std::move(container).error();
    rules.container = *std::move(container);
  }
  for (const FieldRule& rule : job.fields) {
    auto field = compile_field(rule, prefixes);
    if (!field) return std::move(field).error();
    rules.fields.push_back(*std::move(field));
  }
  return rules;
}

std::string conflict_of_selectors(const Job& job) {
  const KindCounts counts = count_kinds(job);
  const bool is_embedded = !job.json_in.selector.empty();
  if (counts.json_paths > 0 && counts.others > 0)
    return "JSONPaths (\"$…\") cannot be mixed with CSS selectors and XPath expressions: a page is "
           "read as JSON or as a tree of elements";
  if (is_embedded && counts.others > 0)
    return "`json_in` reads JSON inside HTML: `selector` and `fields` must be JSONPaths (\"$…\")";
  if (is_embedded && job.json_in.kind == SelectorKind::json_path)
    return "`json_in` names an element of an HTML page: give a CSS selector or XPath expression";
  if (is_embedded && job.format != PageFormat::detected && job.format != PageFormat::html)
    return fmt::format("`json_in` reads JSON inside HTML, but `format` is {}", to_text(job.format));
  if (counts.json_paths > 0 && !is_embedded && job.format != PageFormat::detected &&
      !is_json(job.format))
    return fmt::format("JSONPaths (\"$…\") need a JSON page, but `format` is {}",
                       to_text(job.format));
  if (counts.others > 0 && (is_json(job.format) || job.format == PageFormat::text))
    return fmt::format("CSS selectors and XPath expressions cannot read {}: {}",
                       to_text(job.format),
                       is_json(job.format) ? "give JSONPaths (\"$…\")"
                                           : "give fields without a selector, with `regex`");
  return {};
}

}  // namespace heddle::pages

#include "pipeline/page_finding.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "model/run/key_matches.hpp"
#include "pipeline/found_pages.hpp"

namespace heddle::pipeline {

namespace {

// What an HTML parser leaves of a CDATA section.
constexpr std::string_view kRemains = "]]>";

std::vector<std::string> empty_fields(const JobPlan& plan, const std::vector<Item>& items) {
  std::vector<std::string> empty;
  for (std::size_t i = 0; i < plan.items.fields.size(); ++i) {
    const bool has_value = std::any_of(items.begin(), items.end(), [i](const Item& item) {
      return i < item.fields.size() && !item.fields[i].second.empty();
    });
    if (!has_value) empty.push_back(plan.items.fields[i].rule.name);
  }
  return empty;
}

bool has_remains(const std::vector<Item>& items) {
  return std::any_of(items.begin(), items.end(), [](const Item& item) {
    return std::any_of(item.fields.begin(), item.fields.end(), [](const Field& field) {
      return field.second.find(kRemains) != std::string::npos;
    });
  });
}

bool is_plain_text(std::string_view content_type, std::string_view body) {
  return to_lower_ascii(content_type).starts_with("text/plain") &&
         body.find('<') == std::string_view::npos;
}

std::vector<KeyMatch> key_matches(const JobPlan& plan, const Extracted& page,
                                  const std::vector<std::string>& empty) {
  const bool has_matched =
      page.selector_matches > 0 && (plan.job.watch != WatchKind::text || page.text);
  std::vector<KeyMatch> matches{{std::string(kSelectorKey), has_matched}};
  if (!has_matched) return matches;  // no field was looked for
  for (const pages::FieldPlan& field : plan.items.fields) {
    const bool has_value = std::count(empty.begin(), empty.end(), field.rule.name) == 0;
    matches.push_back({std::string(kFieldKeys) + field.rule.name, has_value});
  }
  return matches;
}

// As `heddle repair` can.
bool may_be_repaired(const Job& job) {
  return job.watch == WatchKind::items && !job.fields.empty() && !job.selector.empty() &&
         selector_kind(job.selector) != SelectorKind::json_path;
}

// Earlier versions did not remember the matches, but the number of items.
const std::string* known_matches(const PageMemory* before) {
  static const std::string kAll;
  if (before == nullptr) return nullptr;
  if (before->key_matches) return &*before->key_matches;
  return before->item_count > 0 ? &kAll : nullptr;
}

}  // namespace

void note_finding(const JobPlan& plan, const FetchResponse& response, const Extracted& page,
                  const PageMemory* before, PageMemory& memory) {
  if (plan.job.watch == WatchKind::file) return;  // whatever it holds
  const std::string* type = find_header(response.headers, "content-type");
  const std::string* known = known_matches(before);
  pages::PageOutcome outcome;
  outcome.body = pages::detect_body(type == nullptr ? "" : *type, page.body);
  outcome.page = page.classified;
  outcome.selector = plan.job.selector;
  outcome.matches = page.selector_matches;
  outcome.is_text = plan.job.watch == WatchKind::text;
  outcome.items = outcome.is_text && page.text ? 1 : page.items.size();
  outcome.had_items = has_matched_field(known);
  outcome.is_read_as_html = page.is_read_as_html;
  outcome.wants_errors = response.status >= 400;  // else it had failed before
  outcome.is_blank = trim(page.body).empty();
  outcome.is_plain_text =
      plan.job.format != PageFormat::text && is_plain_text(type == nullptr ? "" : *type, page.body);
  outcome.may_be_empty = plan.job.expect.min_items == 0;
  const bool has_optional_fields = plan.job.watch != WatchKind::items || has_mixed_pages(plan.job);
  if (!has_optional_fields) outcome.empty_fields = empty_fields(plan, page.items);
  outcome.has_markup_remains = has_remains(page.items);
  if (!page.is_binary)
    memory.key_matches = merge_key_matches(known, key_matches(plan, page, outcome.empty_fields));
  else if (known != nullptr)
    memory.key_matches = *known;
  memory.finding = pages::judge_page(outcome);
  if (memory.finding.kind == ErrorKind::no_items && may_be_repaired(plan.job))
    memory.finding.message +=
        "; `heddle repair " + plan.job.id.text + "` looks for them on the changed page";
}

}  // namespace heddle::pipeline

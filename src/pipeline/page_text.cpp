#include "pipeline/page_text.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "pages/changes/judged_changes.hpp"
#include "pages/changes/text_changes.hpp"
#include "pipeline/fetch/page_source.hpp"

namespace heddle::pipeline {

namespace {

html::ParseLimits limits_of(const Job& job) {
  return {.max_nodes = static_cast<std::size_t>(job.limits.nodes),
          .max_depth = static_cast<std::size_t>(job.limits.html_depth)};
}

Result<pages::SourceDocument> read_document(html::Parser& parser, const JobPlan& plan,
                                            std::string_view content_type, std::string_view body) {
  const bool is_undecided =
      plan.items.format == PageFormat::detected && !plan.items.reads_json && !plan.items.embedded;
  if (is_undecided && pages::detect_format(content_type, body) == PageFormat::html &&
      pages::is_plain_text(content_type, body))
    return pages::SourceDocument{std::string(body), {}};
  // JSON has no elements, but a text.
  if (is_undecided && !plan.items.container &&
      pages::detect_format(content_type, body) == PageFormat::json) {
    pages::SourceRules rules = plan.items;
    rules.reads_json = true;
    return pages::read_source(parser, rules, content_type, body, limits_of(plan.job));
  }
  return pages::read_source(parser, plan.items, content_type, body, limits_of(plan.job));
}

// A new value of a secret is no change of the page.
Result<pages::PageText> text_of(const JobPlan& plan, const pages::SourceDocument& document,
                                std::optional<bool> is_whole) {
  auto text = pages::read_page_text(document, plan.items, plan.text, is_whole);
  if (!text) return text;
  plan.page_secrets.apply(text->text);
  plan.page_secrets.apply(text->trigger_text);
  return text;
}

// Who names the part to watch has seen the page: words in it do not make it another one.
bool is_another_page(const JobPlan& plan, const pages::PageText& text,
                     const pages::ClassifiedPage& page) {
  if (text.matches == 0) return true;
  if (plan.items.container) return false;
  return pages::is_failure(page.page_class) || page.is_empty_shell || trim(text.text).empty();
}

bool shows_same_text(const CycleServices& services, JobSession& job, FetchResponse& response,
                     const Extracted& page) {
  const CurrentJobScope scope(services.activity, mark_of(job.plan.job.id));
  const CpuTimer time(job.cpu_used);
  const Extracted again = take_body(response);
  auto text =
      read_text(services.parser, job.plan, again.content_type, again.body, page.text->is_whole);
  return text && pages::compare_texts(page.text->text, text->text).changes.empty();
}

}  // namespace

Status extract_text(html::Parser& parser, const JobPlan& plan, const pages::PageResponse& response,
                    Extracted& page) {
  auto mark = std::chrono::steady_clock::now();
  const auto spent = [&mark] {
    const auto start = std::exchange(mark, std::chrono::steady_clock::now());
    return std::chrono::duration_cast<std::chrono::microseconds>(mark - start);
  };
  auto document = read_document(parser, plan, page.content_type, page.body);
  if (!document) return std::move(document).error();
  page.cost.parse = spent();
  auto text = text_of(plan, *document, std::nullopt);
  if (!text) return std::move(text).error();
  const html::Document* tree = document->tree();
  page.is_read_as_html = tree != nullptr && !tree->is_xml();
  if (page.is_read_as_html && (!plan.items.container || text->matches == 0))
    page.classified = pages::classify_empty_page(*tree, response);
  page.selector_matches = text->matches;
  page.note = std::move(document->note);
  page.text_hash = hash128(text->text);
  if (!is_another_page(plan, *text, page.classified)) page.text = std::move(*text);
  page.cost.select = spent();
  return Done{};
}

Result<pages::PageText> read_text(html::Parser& parser, const JobPlan& plan,
                                  std::string_view content_type, std::string_view body,
                                  std::optional<bool> is_whole) {
  auto document = read_document(parser, plan, content_type, body);
  if (!document) return std::move(document).error();
  return text_of(plan, *document, is_whole);
}

Async<Status> compare_with_kept_version(const CycleServices& services, JobSession& job,
                                        std::string url, Extracted& page) {
  page.is_new_version = true;
  auto body = co_await services.store.newest_body(job.plan.job.id, url);
  if (!body) co_return std::move(body).error();
  if (!*body) co_return Done{};  // the first version
  const CurrentJobScope scope(services.activity, mark_of(job.plan.job.id));
  const CpuTimer time(job.cpu_used);
  // As it is read now: nothing has changed because the rules have.
  auto before =
      read_text(services.parser, job.plan, page.content_type, **body, page.text->is_whole);
  if (!before) {
    page.comparison_note = "the kept version cannot be read: " + before.error().message;
    co_return Done{};
  }
  auto judged = pages::judge_changes(pages::compare_texts(before->text, page.text->text), url);
  page.is_new_version = !judged.changes.empty();
  if (judged.left_out > 0)
    page.comparison_note = fmt::format("{} changes more, see heddle diff", judged.left_out);
  page.text_changes = std::move(judged.changes);
  if (job.plan.text.trigger.empty()) co_return Done{};
  page.triggers =
      pages::judge_changes(pages::compare_texts(before->trigger_text, page.text->trigger_text), url)
          .changes;
  co_return Done{};
}

Async<std::string> TextConfirmation::rejection_reason(const FetchRequest& request,
                                                      const Extracted& page) const {
  if (page.text_changes.empty() || spec.canned != nullptr) co_return std::string();
  // What after_fetch makes of a page would have to be made again.
  if (hooks != nullptr && hooks->has(script::ScriptHook::after_fetch)) co_return std::string();
  const std::optional<PageMemory> unconditional;
  for (int i = 0; i < job.plan.job.changes.confirm; ++i) {
    CycleTrace not_shown;
    PageSource source(services, job, spec, hooks);
    auto again = co_await source.get(request, unconditional, not_shown);
    auto* response = std::get_if<FetchResponse>(&again);
    if (response == nullptr)
      co_return std::string("not confirmed: the page could not be fetched again");
    if (!shows_same_text(services, job, *response, page))
      co_return std::string("not confirmed: fetched again, the page has another text");
  }
  co_return std::string();
}

std::vector<FieldChange> text_changes_told(const JobPlan& plan, const Extracted& page) {
  std::vector<FieldChange> told = plan.text.trigger.empty() ? page.text_changes : page.triggers;
  std::erase_if(told, [&plan](const FieldChange& change) { return !plan.text.tells(change); });
  return told;
}

}  // namespace heddle::pipeline

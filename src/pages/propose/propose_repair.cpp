#include "pages/propose/propose_repair.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/quantity.hpp"
#include "pages/classify/classify.hpp"
#include "pages/infer/infer.hpp"
#include "pages/propose/candidate_reader.hpp"
#include "pages/source/body_format.hpp"

namespace heddle::pages {

namespace {

constexpr std::size_t kCollapsed = 5;  // so many times fewer items than are known
constexpr std::size_t kManyMore = 3;   // so many times more items than now

bool has_value(std::span<const Item> items, std::string_view field) {
  return std::any_of(items.begin(), items.end(), [field](const Item& item) {
    const std::string* value = item.find(field);
    return value != nullptr && !value->empty();
  });
}

std::string_view name_of(PageClass failure) {
  if (failure == PageClass::login) return "a login page";
  return failure == PageClass::bot_wall ? "a bot check (CAPTCHA)" : "an error page";
}

class RepairProposer {
 public:
  RepairProposer(html::Parser& parser, const ProposedPage& page, const Job& job,
                 std::span<const Item> known)
      : parser_(parser), page_(page), job_(job), known_(known) {
    out_.url = page.url.text();
    out_.known = known.size();
  }

  RepairProposal run() {
    if (known_.empty())
      return refuse("no items of this page are stored, so there is nothing to look for on it");
    const std::string* type = find_header(page_.headers, "content-type");
    const DetectedBody body = detect_body(type == nullptr ? "" : *type, page_.body);
    if (body.format != BodyFormat::html)
      return refuse(fmt::format("the page is {} now, and selectors can be repaired only from HTML",
                                body.name));
    auto parsed = parser_.parse(page_.body, page_.limits);
    if (!parsed) return refuse("the page cannot be read: " + parsed.error().message);
    const SourceDocument document{*std::move(parsed), {}};
    const PageOutline outline(*document.tree());
    if (stands_for_another(outline)) return std::move(out_);
    CandidateReader reader(page_, document);
    judge_present(reader);
    if (needs_repair()) look(outline, reader);
    return std::move(out_);
  }

 private:
  RepairProposal refuse(std::string why) {
    out_.obstacle = std::move(why);
    return std::move(out_);
  }

  bool stands_for_another(const PageOutline& outline) {
    const StructuredData data = StructuredData::collect(outline.document());
    const ClassifiedPage classified =
        classify_page(outline, data, {page_.url, page_.status, &page_.headers});
    const bool is_success = page_.status >= 200 && page_.status < 300;
    const std::string status = is_success ? "" : fmt::format(" (status {})", page_.status);
    if (is_failure(classified.page_class))
      out_.obstacle = fmt::format(
          "the site returned {} instead of the page{}: the selectors cannot be repaired from it",
          name_of(classified.page_class), status);
    else if (!is_success)
      out_.obstacle = fmt::format("the site answered {}", page_.status);
    return !out_.obstacle.empty();
  }

  [[nodiscard]] WatchCandidate present_rules() const {
    WatchCandidate rules;
    rules.selector = job_.selector;
    rules.fields = job_.fields;
    return rules;
  }

  void judge_present(CandidateReader& reader) {
    const std::vector<Item> items = reader.read(present_rules());
    out_.items_now = items.size();
    if (items.empty()) return;
    for (const FieldRule& field : job_.fields)
      if (has_value(known_, field.name) && !has_value(items, field.name))
        out_.empty_fields.push_back(field.name);
  }

  [[nodiscard]] bool has_collapsed() const { return out_.items_now * kCollapsed < known_.size(); }
  [[nodiscard]] bool needs_repair() const {
    return out_.items_now == 0 || !out_.empty_fields.empty() || has_collapsed();
  }

  void look(const PageOutline& outline, CandidateReader& reader) {
    const auto list = repair_list(outline, page_.url, known_);
    if (!list) return note_nothing();
    WatchCandidate candidate = with_selectors_of(*list);
    keep_container(candidate, reader);
    if (!reader.complete(candidate)) return note_nothing();
    const bool is_better = out_.items_now == 0 || !out_.empty_fields.empty() ||
                           candidate.items >= out_.items_now * kManyMore;
    const bool is_same = candidate.selector == job_.selector && candidate.fields == job_.fields;
    if (!is_better || is_same) return note_nothing();
    candidate.description = fmt::format("a list of {}", counted(candidate.items, "item"));
    candidate.confidence = list->confidence;
    candidate.reasons = {"contains stored items"};
    out_.found = std::move(candidate);
  }

  void note_nothing() {
    if (out_.items_now > 0 && out_.empty_fields.empty()) return;  // fewer items, not wrong ones
    out_.obstacle = fmt::format(
        "none of the stored items ({}) was found on the page; `heddle add URL --dry-run` proposes "
        "selectors for what the page has now",
        known_.size());
  }

  WatchCandidate with_selectors_of(const InferredList& list) {
    WatchCandidate candidate = present_rules();
    candidate.selector = list.selector;
    out_.lost_fields.clear();
    for (FieldRule& field : candidate.fields) {
      const auto found =
          std::find_if(list.fields.begin(), list.fields.end(),
                       [&field](const InferredField& each) { return each.name == field.name; });
      if (found == list.fields.end()) {
        out_.lost_fields.push_back(field.name);
        continue;
      }
      field.selector = found->selector;
      field.attribute = found->attribute;
      field.kind = SelectorKind::css;
    }
    return candidate;
  }

  // Where only fields are lost, the container that still works stays.
  void keep_container(WatchCandidate& candidate, CandidateReader& reader) const {
    if (out_.items_now == 0 || has_collapsed() || out_.empty_fields.empty()) return;
    WatchCandidate kept = present_rules();
    for (std::size_t i = 0; i < kept.fields.size(); ++i) {
      const bool is_empty =
          std::count(out_.empty_fields.begin(), out_.empty_fields.end(), kept.fields[i].name) > 0;
      if (is_empty) kept.fields[i] = candidate.fields[i];
    }
    const std::vector<Item> items = reader.read(kept);
    const bool works =
        std::all_of(out_.empty_fields.begin(), out_.empty_fields.end(),
                    [&items](const std::string& field) { return has_value(items, field); });
    if (works && !items.empty()) candidate = std::move(kept);
  }

  html::Parser& parser_;
  const ProposedPage& page_;
  const Job& job_;
  std::span<const Item> known_;
  RepairProposal out_;
};

}  // namespace

RepairProposal propose_repair(html::Parser& parser, const ProposedPage& page, const Job& job,
                              std::span<const Item> known) {
  return RepairProposer(parser, page, job, known).run();
}

}  // namespace heddle::pages

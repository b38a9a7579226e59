#include "pages/classify/classify.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "html/text.hpp"
#include "pages/classify/content_signs.hpp"
#include "pages/classify/failed_page.hpp"
#include "pages/classify/page_facts.hpp"
#include "pages/classify/url_words.hpp"
#include "pages/product/offers.hpp"

namespace heddle::pages {

namespace {

constexpr double kLeastConfidence = 0.3;  // below it a page is generic
constexpr double kSharpness = 1.6;        // fitted weights are cautious, for lack of pages
constexpr std::uint32_t kNoText = 150;
constexpr std::uint32_t kLittleText = 250;

bool is_empty_shell(const PageFacts& facts, int status) {
  const bool is_filled_by_scripts =
      facts.has_app_root || facts.asks_for_scripts || facts.scripts >= 3;
  return status < 300 && facts.content_text < kNoText && facts.text < kLittleText &&
         facts.scripts > 0 && is_filled_by_scripts && facts.password_forms.empty() &&
         facts.text_inputs == 0 && facts.searches == 0;
}

bool has_type(const StructuredData& data, std::initializer_list<std::string_view> types) {
  return std::any_of(data.entities().begin(), data.entities().end(), [&](const auto& entity) {
    return std::any_of(types.begin(), types.end(),
                       [&](std::string_view type) { return entity.has_type(type); });
  });
}

ContentEvidence content_evidence(const PageFacts& facts, const StructuredData& data,
                                 bool has_main_product) {
  ContentEvidence evidence;
  const bool sells =
      facts.buy_buttons >= 1 && facts.buy_buttons <= 2 && facts.prices >= 1 && facts.prices <= 6;
  evidence.is_product = has_main_product || sells;
  evidence.is_article = data.meta("og:type") == "article" ||
                        has_type(data, {"Article", "NewsArticle", "BlogPosting", "TechArticle"});
  evidence.is_discussion = has_type(data, {"DiscussionForumPosting", "QAPage"});
  return evidence;
}

ClassifiedPage classify_content(const ContentSigns& signs) {
  std::array<double, kContentClasses> scores{};
  for (std::size_t i = 0; i < kContentSigns; ++i) {
    if (!signs.test(i)) continue;
    const SignWeights& row = weights_of(static_cast<ContentSign>(i));
    for (std::size_t c = 0; c < kContentClasses; ++c) scores[c] += row.weights[c];
  }
  const auto best =
      static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
  double sum = 0;
  for (const double score : scores) sum += std::exp(kSharpness * (score - scores[best]));
  ClassifiedPage page;
  page.page_class = static_cast<PageClass>(best);
  page.confidence = 1 / sum;
  for (std::size_t i = 0; i < kContentSigns; ++i) {
    const SignWeights& row = weights_of(static_cast<ContentSign>(i));
    if (signs.test(i) && row.weights[best] > 0.05 && !row.text.empty())
      page.signals.push_back({std::string(row.text), row.weights[best]});
  }
  std::stable_sort(page.signals.begin(), page.signals.end(),
                   [](const ClassSignal& a, const ClassSignal& b) { return a.weight > b.weight; });
  return page;
}

ClassifiedPage generic_page(std::string_view signal) {
  ClassifiedPage page;
  page.confidence = 0.5;
  page.signals.push_back({std::string(signal), 1});
  return page;
}

}  // namespace

ClassifiedPage classify_page(const PageOutline& outline, const StructuredData& data,
                             const PageResponse& response) {
  const PageFacts facts = collect_facts(outline);
  const UrlWords url_words = read_url_words(response.url);
  const bool has_main_product = find_main_product(data, response.url, facts.heading) != nullptr;
  const FailureQuestion question{outline, facts, url_words, response,
                                 content_evidence(facts, data, has_main_product)};
  if (auto failure = find_failure(question)) return *std::move(failure);
  if (is_empty_shell(facts, response.status)) {
    ClassifiedPage page = generic_page("no content without scripts");
    page.is_empty_shell = true;
    return page;
  }
  if (facts.text < 40 && data.entities().empty()) return generic_page("hardly any text");
  ClassifiedPage page =
      classify_content(read_content_signs(facts, url_words, data, has_main_product));
  if (page.confidence >= kLeastConfidence) return page;
  return generic_page("no class fits");
}

}  // namespace heddle::pages

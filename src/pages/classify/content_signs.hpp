// The signs by which content classes are told apart, and what each of them weighs. Pure.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "pages/classify/page_facts.hpp"
#include "pages/classify/url_words.hpp"
#include "pages/structured/structured_data.hpp"

namespace heddle::pages {

enum class ContentSign : std::uint8_t {
  any_page,
  data_product,
  data_products,
  data_article,
  data_articles,
  data_list,
  data_discussion,
  data_documentation,
  data_service,
  meta_product,
  meta_article,
  meta_published,
  url_product,
  url_collection,
  url_listing,
  url_article,
  url_documentation,
  url_forum,
  url_service,
  url_date,
  url_front,
  url_search,
  url_long_name,
  made_by_documentation,
  made_by_forum,
  named_product,
  named_collection,
  named_article,
  named_archive,
  named_documentation,
  named_forum,
  buy_button,
  buy_buttons,
  prices_few,
  prices_several,
  prices_many,
  repeats_most,
  repeats_often,
  repeats_links,
  repeats_images,
  repeats_prices,
  repeats_dates,
  repeats_headings,
  repeats_prose,
  repeats_linked,
  repeats_short,
  prose_long,
  prose_some,
  prose_none,
  prose_most,
  links_most,
  links_few,
  links_many,
  images_many,
  code,
  date_one,
  dates_many,
  author,
  authors_many,
  replies,
  replies_many,
  contents,
  sorting,
  pager,
  breadcrumb,
  contact_form,
  phone,
  offers_service,
  headings_many,
  table,
  heading_short,
  heading_long,
  heading_question,
  count
};

inline constexpr std::size_t kContentSigns = static_cast<std::size_t>(ContentSign::count);
inline constexpr std::size_t kContentClasses = 7;  // the first of PageClass
using ContentSigns = std::bitset<kContentSigns>;

struct SignWeights {
  std::string_view text;  // for people; empty: not worth showing
  std::array<double, kContentClasses> weights;
};
const SignWeights& weights_of(ContentSign sign);

ContentSigns read_content_signs(const PageFacts& facts, const UrlWords& url,
                                const StructuredData& data, bool has_main_product);

}  // namespace heddle::pages

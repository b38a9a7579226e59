#include "pages/classify/content_signs.hpp"

namespace heddle::pages {

// Fitted to half of the labelled pages by regularised logistic regression that begins with weights
// set by hand, then rounded; docs/accuracy.md has the figures of the other half.
const SignWeights& weights_of(ContentSign sign) {
  // clang-format off
  // product, collection, listing, article, documentation, forum, service
  static constexpr std::array<SignWeights, kContentSigns> kWeights = {{
      {"", {0, -0.2, 0.1, -0.3, 0.2, -0.3, 0.4}},  // any_page
      {"structured data: Product", {2.3, -0.3, 0.1, -0.1, 0, 0, 0.1}},  // data_product
      {"structured data: many products", {0, 1.4, 0, 0.1, 0, 0, 0}},  // data_products
      {"structured data: Article", {0, -0.1, 0.1, 1.7, -0.2, -0.1, 0.1}},  // data_article
      {"structured data: many articles", {0, -0.1, 1, 0.1, 0, 0, 0}},  // data_articles
      {"structured data: list of items", {0, 0.5, 0.6, 0.2, 0, 0, 0}},  // data_list
      {"structured data: discussion", {0.1, 0, -0.1, 0, -0.1, 2.1, 0.1}},  // data_discussion
      {"structured data: TechArticle", {0, 0, 0.1, 0, 1.5, 0, 0}},  // data_documentation
      {"structured data: Service", {0, -0.2, 0.1, 0, -0.1, -0.1, 1.2}},  // data_service
      {"og:type product", {2.1, 0.1, -0.1, 0, 0, 0, 0}},  // meta_product
      {"og:type article", {0, -0.2, -0.2, 0.8, -0.1, -0.1, 0.5}},  // meta_article
      {"date of publication", {0, -0.1, -0.1, 0.7, 0.1, 0, 0.1}},  // meta_published
      {"URL names a product", {1.6, -0.1, -0.1, -0.1, 0, 0, -0.1}},  // url_product
      {"URL names a category", {0.1, 1.3, -0.1, -0.1, -0.1, 0, -0.1}},  // url_collection
      {"URL names a list", {0, 0, 1.3, 0, -0.1, 0, -0.1}},  // url_listing
      {"URL names an article", {-0.1, -0.1, 0.2, 1.2, -0.1, -0.1, -0.2}},  // url_article
      {"URL names documentation", {-0.1, -0.1, 0, -0.1, 2, 0, -0.2}},  // url_documentation
      {"URL names a forum", {0, 0, -0.1, 0, 0, 1.7, 0}},  // url_forum
      {"URL names a service", {0, 0, 0.2, -0.1, -0.1, 0, 1.1}},  // url_service
      {"date in the URL", {0, 0, 0, 0.8, 0, 0, 0}},  // url_date
      {"front page", {-0.1, 0, 0.7, -0.1, -0.1, -0.1, 0.2}},  // url_front
      {"URL of a search", {0, 0.3, 0.8, 0, 0, 0, 0}},  // url_search
      {"long name in the URL", {0.2, 0, 0.1, 0.5, -0.3, 0, 0}},  // url_long_name
      {"made by a documentation generator", {0, 0, 0.2, 0, 1.8, 0, 0}},  // made_by_documentation
      {"made by a forum program", {0, 0, 0, 0, 0, 2, 0}},  // made_by_forum
      {"template of a product", {1.2, 0.2, 0, -0.2, -0.1, 0, 0}},  // named_product
      {"template of a category", {-0.1, 1.1, 0.1, -0.1, 0, 0, -0.1}},  // named_collection
      {"template of an article", {0.1, -0.1, 0.1, 0.6, -0.1, 0, 0.1}},  // named_article
      {"template of an archive", {0.4, -0.1, 0.8, -0.1, -0.3, 0, -0.2}},  // named_archive
      {"template of documentation", {0, 0, 0.2, 0, 0.6, 0, 0}},  // named_documentation
      {"template of a forum", {0, 0, 0, 0, 0, 1.1, 0}},  // named_forum
      {"buy button", {1.1, -0.1, 0, 0.1, 0, 0, -0.1}},  // buy_button
      {"many buy buttons", {0.2, 0.7, 0, 0, 0, 0, 0}},  // buy_buttons
      {"a few prices", {0.4, -0.1, -0.1, -0.1, -0.1, 0, 0.4}},  // prices_few
      {"several prices", {0.2, 0.3, 0.1, -0.1, -0.1, 0, 0.1}},  // prices_several
      {"many prices", {-0.1, 0.8, 0, 0.2, -0.1, 0, 0.2}},  // prices_many
      {"the content is one list", {0, 0.3, 1, -0.1, 0, 0.1, -0.1}},  // repeats_most
      {"long list", {-0.2, 0.3, 0.7, -0.1, 0.1, -0.1, -0.2}},  // repeats_often
      {"list of links", {-0.1, 0.5, 0.3, 0, -0.1, 0, 0}},  // repeats_links
      {"list of images", {0.3, 0.4, 0.2, -0.2, -0.2, 0, -0.1}},  // repeats_images
      {"list of prices", {-0.1, 1.1, 0, 0.1, 0, 0, -0.1}},  // repeats_prices
      {"list with dates", {0, 0.1, 0.4, -0.1, -0.1, 0.5, 0}},  // repeats_dates
      {"list with headings", {0, 0.1, 0.4, 0, -0.1, -0.1, 0}},  // repeats_headings
      {"list of texts", {0.2, -0.3, -0.1, 0, 0.3, 0.4, 0}},  // repeats_prose
      {"every entry has a link", {-0.2, 0.2, 0.5, 0.2, 0.3, -0.1, -0.3}},  // repeats_linked
      {"", {0, -0.3, 0, 0.2, 0.2, 0, 0}},  // repeats_short
      {"long text", {-0.3, -0.3, 0, 0.7, 0.2, -0.1, 0.4}},  // prose_long
      {"", {0.3, 0.1, -0.3, -0.3, 0.5, -0.1, -0.1}},  // prose_some
      {"hardly any paragraphs", {0, 0.3, 0.6, 0, -0.1, 0, -0.1}},  // prose_none
      {"mostly paragraphs", {-0.3, 0.3, -0.2, 0.3, 0.4, -0.1, 0.1}},  // prose_most
      {"mostly links", {0, 0.3, 0.7, 0, -0.2, 0, 0}},  // links_most
      {"few links in the text", {0.1, -0.1, -0.3, 0.1, 0.2, -0.2, 0.8}},  // links_few
      {"many links", {-0.1, 0.1, 0.2, 0.1, 0.2, 0.1, -0.1}},  // links_many
      {"many images", {0.5, 0.4, -0.2, 0, -0.1, 0, 0}},  // images_many
      {"program code", {0, 0, -0.2, -0.1, 1.6, 0, -0.1}},  // code
      {"one date", {0, 0, -0.1, 0.4, 0, 0, 0}},  // date_one
      {"many dates", {0, 0.1, 0.3, -0.1, -0.1, 0.5, 0}},  // dates_many
      {"author named", {-0.1, -0.1, 0, 0.4, 0, 0, 0}},  // author
      {"many authors", {-0.1, 0, 0.4, 0, -0.1, 0.4, -0.1}},  // authors_many
      {"replies", {-0.1, 0, -0.1, 0, 0.2, 0.3, 0}},  // replies
      {"many replies", {0, -0.1, -0.1, -0.1, -0.1, 1, 0.1}},  // replies_many
      {"table of contents", {-0.1, -0.1, 0, 0.5, 0.5, 0, -0.2}},  // contents
      {"filters or a sort order", {0.2, 0.7, 0.4, -0.1, 0.1, -0.1, -0.2}},  // sorting
      {"pager", {0.2, 0.9, 0, -0.1, -0.2, 0, -0.2}},  // pager
      {"", {0.2, 0.1, -0.4, 0.1, 0, 0, 0.1}},  // breadcrumb
      {"form to fill in", {-0.1, -0.1, 0, 0.1, 0, 0, 0.5}},  // contact_form
      {"telephone number", {0, -0.1, -0.1, 0, 0, -0.1, 0.7}},  // phone
      {"calls to get in touch", {-0.1, 0.1, -0.2, -0.1, 0, 0, 1}},  // offers_service
      {"", {-0.1, 0.2, -0.1, 0, -0.3, -0.2, 0.5}},  // headings_many
      {"", {0.2, -0.3, 0.1, -0.1, 0.2, 0, 0}},  // table
      {"short heading", {0.1, 0.3, 0.2, -0.4, 0.4, -0.1, 0.2}},  // heading_short
      {"long heading", {0.1, 0, 0.2, 0.7, -0.2, 0, -0.3}},  // heading_long
      {"heading is a question", {0, 0, 0, 0.2, 0, 0.5, 0}},  // heading_question
  }};
  // clang-format on
  return kWeights[static_cast<std::size_t>(sign)];
}

}  // namespace heddle::pages

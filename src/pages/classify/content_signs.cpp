#include "pages/classify/content_signs.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "pages/outline/outline.hpp"

namespace heddle::pages {

namespace {

struct EntityCounts {
  int products = 0;
  int articles = 0;
  int lists = 0;
  int discussions = 0;
  int documentation = 0;
  int services = 0;
};

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

EntityCounts count_entities(const StructuredData& data) {
  EntityCounts counts;
  for (const StructuredEntity& entity : data.entities()) {
    for (const std::string& type : entity.types) {
      counts.products += is_one_of(type, {"Product", "ProductGroup", "IndividualProduct"});
      counts.articles += is_one_of(type, {"Article", "NewsArticle", "BlogPosting", "Report",
                                          "ReportageNewsArticle", "ScholarlyArticle", "Review"});
      counts.lists += is_one_of(
          type, {"ItemList", "CollectionPage", "SearchResultsPage", "OfferCatalog", "Blog"});
      counts.discussions +=
          is_one_of(type, {"DiscussionForumPosting", "QAPage", "Answer", "Comment"}) &&
          entity.parent_property != "mainEntity";
      counts.documentation += is_one_of(type, {"TechArticle", "APIReference", "HowTo"});
      counts.services +=
          is_one_of(type, {"Service", "LocalBusiness", "ProfessionalService", "Course", "FAQPage",
                           "HomeAndConstructionBusiness", "EducationalOccupationalProgram",
                           "MedicalBusiness", "FinancialProduct", "MovingCompany", "Electrician"});
    }
  }
  return counts;
}

class SignReader {
 public:
  SignReader(const PageFacts& facts, const UrlWords& url, const StructuredData& data)
      : facts_(facts), url_(url), data_(data) {}

  ContentSigns run(bool has_main_product) {
    set(ContentSign::any_page, true);
    read_data(has_main_product);
    read_url();
    read_names();
    read_offers();
    read_repeated();
    read_text();
    read_heading();
    return signs_;
  }

 private:
  void set(ContentSign sign, bool value) { signs_.set(static_cast<std::size_t>(sign), value); }

  void read_data(bool has_main_product) {
    const EntityCounts counts = count_entities(data_);
    set(ContentSign::data_product, has_main_product);
    set(ContentSign::data_products, counts.products >= 3);
    set(ContentSign::data_article, counts.articles == 1 || counts.articles == 2);
    set(ContentSign::data_articles, counts.articles >= 3);
    set(ContentSign::data_list, counts.lists > 0);
    set(ContentSign::data_discussion, counts.discussions > 0);
    set(ContentSign::data_documentation, counts.documentation > 0);
    set(ContentSign::data_service, counts.services > 0);
    const std::string type = to_lower_ascii(data_.meta("og:type"));
    set(ContentSign::meta_product,
        type.find("product") != std::string::npos || !data_.meta("product:price:amount").empty());
    set(ContentSign::meta_article, type == "article");
    set(ContentSign::meta_published, !data_.meta("article:published_time").empty());
    const std::string made_by = to_lower_ascii(data_.meta("generator"));
    const auto made_with = [&](std::initializer_list<std::string_view> names) {
      return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
        return made_by.find(name) != std::string::npos;
      });
    };
    set(ContentSign::made_by_documentation,
        made_with({"docusaurus", "sphinx", "mkdocs", "gitbook", "mdbook", "docutils", "hugo-book",
                   "vuepress", "vitepress", "starlight", "mediawiki", "doxygen", "asciidoctor",
                   "readme.io", "antora", "nextra", "docbook"}));
    set(ContentSign::made_by_forum,
        made_with({"discourse", "phpbb", "vbulletin", "xenforo", "mybb", "smf", "flarum", "vanilla",
                   "invision", "nodebb", "question2answer"}));
  }

  void read_url() {
    set(ContentSign::url_product, url_.product);
    set(ContentSign::url_collection, url_.collection);
    set(ContentSign::url_listing, url_.listing);
    set(ContentSign::url_article, url_.article);
    set(ContentSign::url_documentation, url_.documentation);
    set(ContentSign::url_forum, url_.forum);
    set(ContentSign::url_service, url_.service);
    set(ContentSign::url_date, url_.has_date);
    set(ContentSign::url_front, url_.is_front);
    set(ContentSign::url_search, url_.is_search);
    set(ContentSign::url_long_name, url_.has_long_name);
  }

  // Classes of html and body, as templates of shops, blogs and forums write them.
  void read_names() {
    each_name_word(facts_.page_names, [&](std::string_view word) {
      const auto add = [&](ContentSign sign, std::initializer_list<std::string_view> words) {
        if (is_one_of(word, words)) set(sign, true);
      };
      add(ContentSign::named_product, {"product", "productpage", "pdp", "item"});
      add(ContentSign::named_collection, {"collection", "category", "categorypage", "plp",
                                          "catalog", "shop", "productlist", "subcategory"});
      add(ContentSign::named_article, {"single", "article", "post", "story", "blogpost"});
      add(ContentSign::named_archive,
          {"archive", "blog", "tag", "taxonomy", "list", "search", "news", "results", "index"});
      add(ContentSign::named_documentation, {"docs", "documentation", "doc", "wiki", "manual",
                                             "mediawiki", "sphinx", "toc", "handbook"});
      add(ContentSign::named_forum,
          {"topic", "thread", "forum", "viewtopic", "showthread", "question", "discussion",
           "forums", "discourse", "phpbb", "xenforo"});
    });
  }

  void read_offers() {
    set(ContentSign::buy_button, facts_.buy_buttons >= 1 && facts_.buy_buttons <= 3);
    set(ContentSign::buy_buttons, facts_.buy_buttons >= 4);
    set(ContentSign::prices_few, facts_.prices >= 1 && facts_.prices <= 3);
    set(ContentSign::prices_several, facts_.prices >= 4 && facts_.prices <= 9);
    set(ContentSign::prices_many, facts_.prices >= 10);
    set(ContentSign::sorting, facts_.sort_controls > 0);
    set(ContentSign::contact_form, facts_.text_inputs >= 3);
    set(ContentSign::phone, facts_.phones > 0);
    set(ContentSign::offers_service, facts_.service_labels >= 2);
  }

  void read_repeated() {
    const RepeatedChildren& repeated = facts_.repeated;
    const int most = std::max(1, repeated.count * 6 / 10);
    if (repeated.count == 0) return;
    set(ContentSign::repeats_most, repeated.text * 10 >= facts_.content_text * 4);
    set(ContentSign::repeats_often, repeated.count >= 10);
    set(ContentSign::repeats_links, repeated.link_text * 10 >= repeated.text * 4);
    set(ContentSign::repeats_images, repeated.with_image >= most);
    set(ContentSign::repeats_prices, repeated.with_price >= most);
    set(ContentSign::repeats_dates, repeated.with_time >= most);
    set(ContentSign::repeats_headings, repeated.with_heading >= most);
    set(ContentSign::repeats_prose, repeated.with_prose >= most);
    set(ContentSign::repeats_linked, repeated.with_link >= most);
    set(ContentSign::repeats_short, repeated.text < 40U * static_cast<unsigned>(repeated.count));
  }

  void read_text() {
    const auto text = std::max<std::uint32_t>(facts_.content_text, 1);
    set(ContentSign::prose_long, facts_.prose >= 3000);
    set(ContentSign::prose_some, facts_.prose >= 800 && facts_.prose < 3000);
    set(ContentSign::prose_none, facts_.prose < 200);
    set(ContentSign::prose_most, facts_.prose * 10 >= text * 6);
    set(ContentSign::links_most, facts_.content_link_text * 2 >= text);
    set(ContentSign::links_few, facts_.content_link_text * 100 < text * 15);
    set(ContentSign::links_many, facts_.content_links >= 80);
    set(ContentSign::images_many, facts_.content_images >= 12);
    set(ContentSign::code, facts_.code >= 100 && facts_.code * 50 >= text);
    set(ContentSign::date_one, facts_.times >= 1 && facts_.times <= 3);
    set(ContentSign::dates_many, facts_.times >= 6);
    set(ContentSign::author, facts_.author_names >= 1 && facts_.author_names <= 5);
    set(ContentSign::authors_many, facts_.author_names >= 10);
    set(ContentSign::replies, facts_.reply_names >= 4 && facts_.reply_names < 15);
    set(ContentSign::replies_many, facts_.reply_names >= 15);
    set(ContentSign::contents, facts_.contents_names > 0);
    set(ContentSign::pager, facts_.has_pager);
    set(ContentSign::breadcrumb, facts_.has_breadcrumb);
    set(ContentSign::headings_many, facts_.heading_count >= 10);
    set(ContentSign::table, facts_.tables > 0);
  }

  void read_heading() {
    const std::string_view heading = facts_.heading;
    const auto spaces = std::count(heading.begin(), heading.end(), ' ');
    set(ContentSign::heading_short, !heading.empty() && heading.size() <= 30 && spaces <= 2);
    set(ContentSign::heading_long, heading.size() >= 50);
    set(ContentSign::heading_question, heading.ends_with('?') || heading.ends_with("？"));
  }

  const PageFacts& facts_;
  const UrlWords& url_;
  const StructuredData& data_;
  ContentSigns signs_;
};

}  // namespace

ContentSigns read_content_signs(const PageFacts& facts, const UrlWords& url,
                                const StructuredData& data, bool has_main_product) {
  return SignReader(facts, url, data).run(has_main_product);
}

}  // namespace heddle::pages

#include <cstdio>

#include "html/links.hpp"
#include "html/parse.hpp"
#include "html/selector.hpp"
#include "pages/discover/next_page.hpp"
#include "tests/accuracy/labelled_pages.hpp"

namespace heddle::accuracy {

namespace {

// The links that a label's selector names: a matched element, or the link around or inside it.
std::vector<std::string> labelled_links(const html::Document& document, std::string_view css,
                                        const Url& base) {
  std::vector<std::string> urls;
  const auto selector = html::Selector::compile(css);
  if (!selector) return urls;
  std::vector<html::NodeId> nodes;
  if (!html::select(document, *selector, html::Document::root(), nodes)) return urls;
  for (html::NodeId node : nodes) {
    html::NodeId link = node;
    while (link != html::kNoNode && link != 0 && document.tag(link) != html::known("a"))
      link = document.parent(link);
    if (link == html::kNoNode || link == 0)
      for (link = node;
           link < document.subtree_end(node) && document.tag(link) != html::known("a");)
        ++link;
    if (!document.is_element(link)) continue;
    if (const auto href = document.attribute(link, html::known("href")))
      if (const auto url = base.resolve(*href)) urls.push_back(url->without_fragment());
  }
  return urls;
}

}  // namespace

void measure_pagination() {
  html::Parser parser;
  Figure found;
  Figure extra;
  each_page("pagination", [&](const LabelledPage& page) {
    const auto document = parser.parse(page.body);
    if (!document) return;
    const auto next = pages::find_next_page(pages::PageOutline(*document), page.url);
    const auto* label = page.labels.if_contains("next");
    if (label == nullptr) {
      extra.add(page, next ? 1 : 0);
      if (next && is_verbose())
        std::printf("  %s%s extra: %s (%s) on %s\n", page.name.c_str(),
                    page.is_held_back ? " held" : "", next->url.c_str(), next->signals.c_str(),
                    page.url.text().c_str());
      return;
    }
    const auto links = labelled_links(*document, std::string(label->as_string()),
                                      html::document_base(*document, page.url));
    const bool is_right = next && std::find(links.begin(), links.end(), next->url) != links.end();
    found.add(page, is_right ? 1 : 0);
    if (is_right || !is_verbose()) return;
    std::printf("  %s%s on %s\n    found %s (%s)\n    label %s\n", page.name.c_str(),
                page.is_held_back ? " held" : "", page.url.text().c_str(),
                next ? next->url.c_str() : "-", next ? next->signals.c_str() : "",
                links.empty() ? "no link" : links[0].c_str());
  });
  print_row("next page: found where labelled", found.all(), found.of(0), found.of(1),
            ">= 0.85 (0.92)");
  print_row("next page: found where not labelled", extra.all(), extra.of(0), extra.of(1), "");
  Figure wrong;
  each_page("typed-pages", [&](const LabelledPage& page) {
    const std::string type(page.labels.at("type").as_string());
    if (type != "article" && type != "product" && type != "service") return;
    const auto document = parser.parse(page.body);
    if (!document) return;
    const auto next = pages::find_next_page(pages::PageOutline(*document), page.url);
    wrong.add(page, next ? 1 : 0);
    if (next && is_verbose())
      std::printf("  typed %s%s %s: %s (%s)\n    on %s\n", page.name.c_str(),
                  page.is_held_back ? " held" : "", type.c_str(), next->url.c_str(),
                  next->signals.c_str(), page.url.text().c_str());
  });
  print_row("next page: on articles, products, services", wrong.all(), wrong.of(0), wrong.of(1),
            "<= 0.03");
}

}  // namespace heddle::accuracy

#include <array>
#include <cstdio>
#include <map>

#include "html/parse.hpp"
#include "pages/classify/classify.hpp"
#include "tests/accuracy/labelled_pages.hpp"

namespace heddle::accuracy {

namespace {

using pages::PageClass;

// What `watch` would be chosen for a page of this class.
std::string_view watch_of(PageClass page_class) {
  switch (page_class) {
    case PageClass::product:
      return "product";
    case PageClass::collection:
    case PageClass::listing:
      return "items";
    default:
      return "text";
  }
}

std::optional<pages::ClassifiedPage> classify(html::Parser& parser, const LabelledPage& page) {
  const auto document = parser.parse(page.body);
  if (!document) return std::nullopt;
  return pages::classify_page(pages::PageOutline(*document),
                              pages::StructuredData::collect(*document), {page.url});
}

void print_wrong(const LabelledPage& page, std::string_view label,
                 const pages::ClassifiedPage& found) {
  if (!is_verbose()) return;
  std::printf("  %s%s %s: %s %.2f (%s)\n    on %s\n", page.name.c_str(),
              page.is_held_back ? " held" : "", std::string(label).c_str(),
              std::string(to_text(found.page_class)).c_str(), found.confidence,
              signals_text(found).c_str(), page.url.text().c_str());
}

}  // namespace

void measure_types() {
  html::Parser parser;
  Figure type;
  Figure watch;
  Figure failure;
  std::map<std::string, Figure> recall;
  each_page("typed-pages", [&](const LabelledPage& page) {
    const std::string label(page.labels.at("type").as_string());
    const auto found = classify(parser, page);
    const auto expected = pages::page_class_named(label);
    if (!found || !expected) return;
    const bool is_right = found->page_class == *expected;
    type.add(page, is_right ? 1 : 0);
    recall[label].add(page, is_right ? 1 : 0);
    watch.add(page, watch_of(found->page_class) == watch_of(*expected) ? 1 : 0);
    failure.add(page, is_failure(found->page_class) ? 1 : 0);
    if (!is_right) print_wrong(page, label, *found);
  });
  print_row("type of page", type.all(), type.of(0), type.of(1), ">= 0.75 (0.80)");
  for (const auto& [label, figure] : recall)
    print_row("  " + label, figure.all(), figure.of(0), figure.of(1), "");
  print_row("watch that suits the page", watch.all(), watch.of(0), watch.of(1), ">= 0.88 (0.94)");
  print_row("content taken for a failed page", failure.all(), failure.of(0), failure.of(1), "0");
}

void measure_logins() {
  html::Parser parser;
  Figure found_logins;
  Figure false_logins;
  Figure other_failures;
  each_page("forms", [&](const LabelledPage& page) {
    const auto* label = page.labels.if_contains("login_page");
    if (label == nullptr || !label->is_bool()) return;
    const auto found = classify(parser, page);
    if (!found) return;
    const bool is_login = found->page_class == PageClass::login;
    (label->as_bool() ? found_logins : false_logins).add(page, is_login ? 1 : 0);
    if (!label->as_bool())
      other_failures.add(page, is_failure(found->page_class) && !is_login ? 1 : 0);
    if (is_login != label->as_bool() || (is_failure(found->page_class) && !is_login))
      print_wrong(page, label->as_bool() ? "login" : "content", *found);
  });
  print_row("login pages found", found_logins.all(), found_logins.of(0), found_logins.of(1),
            ">= 0.90");
  print_row("content taken for a login page", false_logins.all(), false_logins.of(0),
            false_logins.of(1), "0");
  print_row("content taken for an error or a bot wall", other_failures.all(), other_failures.of(0),
            other_failures.of(1), "0");
}

}  // namespace heddle::accuracy

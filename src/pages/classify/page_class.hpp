// PageClass names the kinds of pages; ClassifiedPage says which one a page is, how surely, and why.
// Plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::pages {

enum class PageClass : std::uint8_t {
  product,        // one product with its price
  collection,     // many products, or a category of a shop
  listing,        // many entries: news, search results, directories, tables
  article,        // one text
  documentation,  // manuals, references, guides
  forum,          // a thread, questions and answers
  service,        // what an organisation offers
  error_page,     // also one that says "not found" with status 200
  bot_wall,       // asks for proof that a person reads it
  login,          // asks for an account
  generic,        // none of these, or not enough to say
};
std::string_view to_text(PageClass page_class);
std::optional<PageClass> page_class_named(std::string_view name);

// Pages that stand in the place of the wanted one: no content of theirs may be stored.
constexpr bool is_failure(PageClass page_class) {
  return page_class == PageClass::error_page || page_class == PageClass::bot_wall ||
         page_class == PageClass::login;
}

// A reason for the class in words for people: "structured data: Product".
struct ClassSignal {
  std::string text;
  double weight = 0;
};

struct ClassifiedPage {
  PageClass page_class = PageClass::generic;
  double confidence = 0;             // 0 to 1
  std::vector<ClassSignal> signals;  // for the class, the strongest first
  // Scripts would fill the page in a browser: nothing of its content is in the HTML.
  bool is_empty_shell = false;
};

// "structured data: Product, buy button"; at most five.
std::string signals_text(const ClassifiedPage& page);

}  // namespace heddle::pages

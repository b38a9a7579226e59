#include "pages/outcome/page_outcome.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "html/text.hpp"

namespace heddle::pages {

namespace {

constexpr std::size_t kShortText = 200;   // bytes of an application shell, at most
constexpr std::size_t kLoginText = 2000;  // of a page that is about logging in
constexpr std::size_t kShownSelector = 80;

struct PageParts {
  bool has_script = false;
  bool has_password = false;
  bool has_mount_point = false;  // an empty element that scripts fill
};

bool is_mount_point(const html::Document& document, html::NodeId node) {
  const auto id = document.attribute(node, "id");
  if (!id) return document.tag_name(node) == "app-root";
  for (const std::string_view known : {"root", "app", "__next", "__nuxt", "___gatsby", "main-app"})
    if (*id == known) return trim(html::readable_text(document, node)).empty();
  return false;
}

PageParts parts_of(const html::Document& document) {
  PageParts parts;
  for (html::NodeId node = 1; node <= document.size(); ++node) {
    if (!document.is_element(node)) continue;
    const std::string_view tag = document.tag_name(node);
    if (tag == "script") parts.has_script = true;
    if (tag == "input") {
      const auto type = document.attribute(node, "type");
      parts.has_password |= type && to_lower_ascii(*type) == "password";
    }
    parts.has_mount_point |= is_mount_point(document, node);
  }
  return parts;
}

RunError finding(ErrorKind kind, std::string message) {
  return {kind, std::move(message), ""};
}

std::string selector_text(const PageOutcome& outcome) {
  const std::string_view shown = utf8_prefix(outcome.selector, kShownSelector);
  return fmt::format("\"{}{}\"", shown, shown.size() < outcome.selector.size() ? "..." : "");
}

std::string fields_text(const std::vector<std::string>& fields) {
  return fmt::format("{} \"{}\" {}", fields.size() == 1 ? "field" : "fields",
                     fmt::join(fields, "\", \""), fields.size() == 1 ? "is" : "are");
}

std::string what_was_found(const PageOutcome& outcome) {
  if (outcome.selector.empty()) return "no field finds anything on the page";
  if (outcome.matches == 0)
    return fmt::format("selector {} matches nothing on the page", selector_text(outcome));
  return fmt::format("selector {} matches, but no field finds anything inside",
                     selector_text(outcome));
}

RunError judge_without_items(const PageOutcome& outcome) {
  const std::string found = what_was_found(outcome);
  switch (outcome.kind) {
    case EmptyPageKind::login:
      return finding(ErrorKind::login_required, "the page asks to log in: " + found);
    case EmptyPageKind::app_shell:
      return finding(ErrorKind::app_shell,
                     "the page is empty without JavaScript, which is not run: " + found);
    case EmptyPageKind::bot_wall:
      return finding(ErrorKind::bot_wall, "the page is a check against robots: " + found);
    case EmptyPageKind::error_page:
      return finding(ErrorKind::error_page, "the page is an error page: " + found);
    case EmptyPageKind::ordinary:
      break;
  }
  if (outcome.had_items) return finding(ErrorKind::no_items, found + "; it had items before");
  return finding(ErrorKind::nothing_found, found);
}

// XML is read as HTML in this version, which loses parts of it.
RunError judge_xml(const PageOutcome& outcome) {
  std::string text = fmt::format("the page is {}, which is read as HTML: ", outcome.body.name);
  if (outcome.items == 0)
    return finding(ErrorKind::not_html,
                   text + what_was_found(outcome) + "; feeds and XML are not supported yet");
  if (!outcome.empty_fields.empty())
    return finding(ErrorKind::not_html,
                   fmt::format("{}{} empty; feeds and XML are not supported yet", text,
                               fields_text(outcome.empty_fields)));
  if (outcome.has_markup_remains)
    return finding(ErrorKind::not_html,
                   text + "values hold remains of CDATA; feeds and XML are not supported yet");
  return finding(ErrorKind::read_as_html, text + "<link> and CDATA may be lost");
}

}  // namespace

EmptyPageKind classify_empty_page(const html::Document& document) {
  const PageParts parts = parts_of(document);
  const std::size_t text = trim(html::readable_text(document, document.root())).size();
  if (parts.has_password && text <= kLoginText) return EmptyPageKind::login;
  const bool is_bare = text <= kShortText && parts.has_script;
  if (is_bare && (parts.has_mount_point || text == 0)) return EmptyPageKind::app_shell;
  return EmptyPageKind::ordinary;
}

RunError judge_page(const PageOutcome& outcome) {
  switch (outcome.body.format) {
    case BodyFormat::binary:
      if (outcome.items > 0) break;
      return finding(ErrorKind::not_html, fmt::format("the page is {}, not HTML: nothing can be "
                                                      "extracted from it",
                                                      outcome.body.name));
    case BodyFormat::json:
      if (outcome.items > 0) break;
      return finding(ErrorKind::not_html,
                     "the page is JSON, which is not supported yet: " + what_was_found(outcome));
    case BodyFormat::xml:
    case BodyFormat::feed:
      return judge_xml(outcome);
    case BodyFormat::html:
      break;
  }
  if (outcome.items == 0) return judge_without_items(outcome);
  if (outcome.empty_fields.empty()) return {};
  return finding(ErrorKind::empty_field,
                 fmt::format("{} empty in all items", fields_text(outcome.empty_fields)));
}

}  // namespace heddle::pages

#include "pages/outcome/page_outcome.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"

namespace heddle::pages {

namespace {

constexpr std::size_t kShownSelector = 80;
constexpr double kSureErrorPage = 0.95;  // confidence

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
  if (outcome.is_text && outcome.selector.empty())
    return is_failure(outcome.page.page_class) ? "its text is not compared; if it is the right "
                                                 "page, name its content with `selector`"
                                               : "it shows no text";
  if (outcome.selector.empty()) return "none of the fields matches on the page";
  if (outcome.matches == 0)
    return fmt::format("selector {} matches nothing on the page", selector_text(outcome));
  return fmt::format("selector {} matches, but none of the fields matches inside",
                     selector_text(outcome));
}

// An empty list may read like an error page, so that counts only where there was more before, or
// when title and heading agree. A text that reads like one is not compared at all. A job may want
// pages with a status of errors.
bool is_believed(const PageOutcome& outcome) {
  if (outcome.page.page_class != PageClass::error_page) return true;
  const bool is_sure = outcome.page.confidence >= kSureErrorPage;
  return !outcome.wants_errors && (outcome.had_items || outcome.is_text || is_sure);
}

RunError judge_without_items(const PageOutcome& outcome) {
  const std::string found = what_was_found(outcome);
  if (is_believed(outcome)) {
    RunError wrong = wrong_page_error(outcome.page.page_class, found);
    if (wrong.kind != ErrorKind::none) return wrong;
  }
  if (outcome.may_be_empty && !outcome.had_items) return finding(ErrorKind::nothing_found, found);
  if (outcome.is_blank && outcome.is_read_as_html && !outcome.wants_errors)
    return finding(outcome.had_items ? ErrorKind::no_items : ErrorKind::nothing_found,
                   "the page is empty, the site sent no text: " + found +
                       "; if it may be empty, say so with `min_items = 0` under [expect]");
  if (outcome.is_plain_text && outcome.is_read_as_html)
    return finding(ErrorKind::not_html,
                   "the page is plain text, not HTML: " + found +
                       "; give the URL of a page with markup, or read the text in a script");
  if (outcome.page.is_empty_shell)
    return finding(ErrorKind::app_shell,
                   "the page is empty without JavaScript, which is not run: " + found);
  if (outcome.had_items)
    return finding(ErrorKind::no_items,
                   found + (outcome.is_text ? "; it had text before" : "; it had items before"));
  if (outcome.page.page_class == PageClass::error_page && !outcome.wants_errors)
    return finding(ErrorKind::nothing_found, "the page reads like an error page: " + found);
  return finding(ErrorKind::nothing_found, found);
}

RunError judge_xml_read_as_html(const PageOutcome& outcome) {
  std::string text =
      fmt::format("the page is {}, which `format = \"html\"` reads as HTML: ", outcome.body.name);
  if (outcome.items == 0)
    return finding(ErrorKind::not_html, text + what_was_found(outcome) + "; leave `format` out");
  if (!outcome.empty_fields.empty())
    return finding(ErrorKind::not_html, fmt::format("{}{} empty; leave `format` out", text,
                                                    fields_text(outcome.empty_fields)));
  if (outcome.has_markup_remains)
    return finding(ErrorKind::not_html, text + "values hold remains of CDATA; leave `format` out");
  return finding(ErrorKind::read_as_html, text + "<link> and CDATA may be lost");
}

}  // namespace

RunError wrong_page_error(PageClass page_class, std::string_view problem) {
  switch (page_class) {
    case PageClass::login:
      return finding(ErrorKind::login_required,
                     fmt::format("the page asks to log in: {}", problem));
    case PageClass::bot_wall:
      return finding(
          ErrorKind::bot_wall,
          fmt::format("the site returned a bot check (CAPTCHA) instead of the page: {}", problem));
    case PageClass::error_page:
      return finding(ErrorKind::error_page, fmt::format("the page is an error page: {}", problem));
    default:
      return {};
  }
}

ClassifiedPage classify_empty_page(const html::Document& document, const PageResponse& response) {
  return classify_page(PageOutline(document), StructuredData::collect(document), response);
}

RunError judge_page(const PageOutcome& outcome) {
  switch (outcome.body.format) {
    case BodyFormat::binary:
      if (outcome.items > 0) break;
      return finding(ErrorKind::not_html, fmt::format("the page is {}, not HTML: nothing can be "
                                                      "extracted from it",
                                                      outcome.body.name));
    case BodyFormat::json:
      if (outcome.items > 0 || !outcome.is_read_as_html) break;
      return finding(
          ErrorKind::not_html,
          "the page is JSON, but the selectors are CSS or XPath: use JSONPaths (\"$…\"); " +
              what_was_found(outcome));
    case BodyFormat::xml:
    case BodyFormat::feed:
      if (!outcome.is_read_as_html) break;
      return judge_xml_read_as_html(outcome);
    case BodyFormat::html:
      break;
  }
  if (outcome.items == 0) return judge_without_items(outcome);
  if (outcome.empty_fields.empty()) return {};
  return finding(ErrorKind::empty_field,
                 fmt::format("{} empty in all items", fields_text(outcome.empty_fields)));
}

}  // namespace heddle::pages

// PageFacts holds what one pass over a page counts for its classification. Plain values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pages/outline/outline.hpp"

namespace heddle::pages {

// A form with a password, or a group of inputs where a page has no form element around them.
struct PasswordForm {
  html::NodeId node = html::kNoNode;
  int passwords = 0;
  int texts = 0;    // other inputs that a person fills in
  int choices = 0;  // selects, text areas, radio buttons
  bool is_content = false;
};

// Children of one element that are built alike.
struct RepeatedChildren {
  html::NodeId parent = html::kNoNode;
  int count = 0;
  std::uint32_t text = 0;
  std::uint32_t link_text = 0;
  int with_link = 0;
  int with_image = 0;
  int with_heading = 0;
  int with_price = 0;
  int with_time = 0;
  int with_prose = 0;  // more than 150 characters outside of links
};

struct PageFacts {
  std::string title;                  // of the head
  std::string heading;                // of the page, else the first h2 of the content
  std::vector<std::string> headings;  // h1 to h3, short ones, at most ten
  std::uint32_t text = 0;
  std::uint32_t content_text = 0;
  std::uint32_t content_link_text = 0;
  std::uint32_t prose = 0;  // paragraphs and long texts outside of links
  std::uint32_t code = 0;   // <pre>, <code>
  int paragraphs = 0;
  int links = 0;
  int content_links = 0;
  int content_images = 0;
  int prices = 0;  // of the content
  int times = 0;   // <time>
  int buy_buttons = 0;
  int text_inputs = 0;  // of the content: a person fills them in; searches are left out
  int searches = 0;     // inputs that search
  int text_areas = 0;
  int service_labels = 0;  // "Get a quote"
  int phones = 0;          // tel: links
  int sort_controls = 0;
  int reply_names = 0;     // classes like "reply", "postbody"
  int author_names = 0;    // classes like "author", "byline"
  int contents_names = 0;  // tables of contents
  int heading_count = 0;   // h2 to h4 of the content
  int tables = 0;
  int scripts = 0;
  bool has_pager = false;
  bool has_breadcrumb = false;
  bool has_app_root = false;  // <div id="root"> and its kind, without text
  bool asks_for_scripts = false;
  std::vector<PasswordForm> password_forms;
  RepeatedChildren repeated;
  std::string page_names;  // classes and id of html and body
};

PageFacts collect_facts(const PageOutline& outline);

}  // namespace heddle::pages

// Reads what the words of a URL say about its page. Pure.
#pragma once

#include "model/web/url.hpp"

namespace heddle::pages {

struct UrlWords {
  bool product = false;
  bool collection = false;
  bool listing = false;
  bool article = false;
  bool documentation = false;
  bool forum = false;
  bool service = false;
  bool login = false;
  bool registration = false;  // also resetting a password
  bool error = false;
  bool has_date = false;  // "/2025/09/"
  bool is_front = false;  // no path
  bool is_search = false;
  bool has_long_name = false;  // the last segment has four words or more
};

UrlWords read_url_words(const Url& url);

}  // namespace heddle::pages

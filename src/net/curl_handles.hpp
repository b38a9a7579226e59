// RAII types for libcurl's handles. Internal to the module.
#pragma once

#include <memory>

#include <curl/curl.h>

#include "base/free_with.hpp"

namespace heddle::net {

using CurlEasy = std::unique_ptr<CURL, FreeWith<curl_easy_cleanup>>;
using CurlMulti = std::unique_ptr<CURLM, FreeWith<curl_multi_cleanup>>;
using CurlShare = std::unique_ptr<CURLSH, FreeWith<curl_share_cleanup>>;
using CurlList = std::unique_ptr<curl_slist, FreeWith<curl_slist_free_all>>;

inline void append(CurlList& list, const char* line) {
  // curl returns the same head, or nullptr and leaves the list unchanged.
  if (curl_slist* longer = curl_slist_append(list.get(), line)) {
    static_cast<void>(list.release());
    list.reset(longer);
  }
}

}  // namespace heddle::net

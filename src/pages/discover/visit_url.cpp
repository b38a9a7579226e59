#include "pages/discover/visit_url.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "base/text.hpp"

namespace heddle::pages {

namespace {

// Of advertisers and newsletters, never of a site's own pages. In order.
constexpr auto kTrackingKeys = std::to_array<std::string_view>({
    "_ga",         "_gl",        "_hsenc",     "_hsmi",   "_openstat", "dclid",   "ef_id",
    "epik",        "fbclid",     "gad_source", "gbraid",  "gclid",     "gclsrc",  "hsctatracking",
    "igshid",      "irclickid",  "li_fat_id",  "mc_cid",  "mc_eid",    "mkt_tok", "msclkid",
    "oly_anon_id", "oly_enc_id", "rb_clickid", "s_kwcid", "srsltid",   "ttclid",  "twclid",
    "vero_id",     "wbraid",     "wickedid",   "yclid",   "ysclid",
});

bool is_tracking(std::string_view parameter) {
  const std::string key = to_lower_ascii(parameter.substr(0, parameter.find('=')));
  if (key.starts_with("utm_") || key.starts_with("mtm_")) return true;
  return std::ranges::find(kTrackingKeys, key) != kTrackingKeys.end();
}

// Parameters of a query, without those that track and without empty ones.
std::vector<std::string_view> parameters_of(std::string_view query) {
  std::vector<std::string_view> kept;
  for (const std::string_view each : split(query, '&'))
    if (!each.empty() && !is_tracking(each)) kept.push_back(each);
  return kept;
}

std::string with_query(const Url& url, const std::vector<std::string_view>& parameters) {
  std::string text = url.origin() + std::string(url.path());
  char before = '?';
  for (const std::string_view each : parameters) {
    text += before;
    text += each;
    before = '&';
  }
  return text;
}

}  // namespace

std::string url_to_fetch(const Url& url) {
  const auto all = split(url.query(), '&');
  const bool tracks = std::any_of(all.begin(), all.end(), is_tracking);
  return tracks ? with_query(url, parameters_of(url.query())) : url.without_fragment();
}

std::string normalize_for_visit(const Url& url) {
  auto parameters = parameters_of(url.query());
  // Values of one key keep their order: it may count.
  std::stable_sort(parameters.begin(), parameters.end(),
                   [](std::string_view a, std::string_view b) {
                     return a.substr(0, a.find('=')) < b.substr(0, b.find('='));
                   });
  return with_query(url, parameters);
}

}  // namespace heddle::pages

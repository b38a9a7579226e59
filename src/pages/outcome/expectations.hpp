// Judges a page by what its job expects of it: the rules of [expect]. Pure. A broken rule is a
// RunError of kind `expectation`, without a URL; its kind is `none` when the rule is kept.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "base/time.hpp"
#include "html/parse.hpp"
#include "model/job/page_rules.hpp"
#include "model/job/page_source.hpp"
#include "model/run/run.hpp"
#include "model/web/fetch.hpp"

namespace heddle::pages {

// A decoded page.
struct DecodedBody {
  std::string_view body;
  std::string_view content_type;
  PageFormat format = PageFormat::detected;  // of the job
};

// The text in which `contains` and `not_contains` are looked up: of HTML the title and what a
// browser shows without scripts, of every other format the body. Fails beyond the limits.
Result<std::string> text_to_check(html::Parser& parser, const DecodedBody& page,
                                  const html::ParseLimits& limits);

// Upper and lower case are alike, and so is all white space.
RunError judge_text(const ExpectRule& rule, std::string_view text);
RunError judge_item_count(const ExpectRule& rule, std::int64_t items);

// What the page answers: of an unmodified page the status that it has.
bool accepts_status(const ExpectRule& rule, int http_status);
// `answer`: "http://… answered with status 503".
RunError broken_status(const ExpectRule& rule, std::string_view answer);

// The rules that only warn: `max_ms` and `tls_days`.
RunError judge_service(const ExpectRule& rule, const FetchResponse& response, WallTime now);

}  // namespace heddle::pages

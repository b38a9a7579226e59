// Proposes how a page can be watched: classifies it and looks for a feed, lists of blocks, lists of
// JSON objects, and the fields of a product or an article. Pure and deterministic.
#pragma once

#include <string>

#include "html/parse.hpp"
#include "model/job/watch_proposal.hpp"
#include "model/web/fetch.hpp"
#include "model/web/url.hpp"

namespace heddle::pages {

struct ProposedPage {
  Url url;  // after redirects
  int status = 200;
  Headers headers{};   // names in lower case
  std::string body{};  // as UTF-8
  html::ParseLimits limits{};
};

// Without candidates, `obstacle` says why. `url` of the result is the caller's to set.
WatchProposal propose_watch(html::Parser& parser, const ProposedPage& page);

}  // namespace heddle::pages

// Validates requests and rewrites them for redirects. Pure.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/web/fetch.hpp"
#include "model/web/url.hpp"

namespace heddle::net {

// Refuses methods and headers that could smuggle a second request into the first.
Status check_request(const FetchRequest& request);

struct SentHeaders {
  Headers headers;
  std::string cookie;  // separate, because the jar's cookies join it in one line
};

// The request's headers over the host's own ones; the client writes the framing headers.
SentHeaders merge_headers(const Headers& request, const Headers& of_host);

bool is_followed_redirect(int status);

// Rewrites the request for the next hop: method and body as browsers do, and to another origin
// (scheme, host or port) only headers that cannot be secret.
void prepare_for_redirect(FetchRequest& request, int status, const Url& from, const Url& to);

// Headers of [hosts."name"] are meant for that host, so they also go to it when another host
// redirects there. Not to another port or back to plain http of the same host.
bool may_take_host_headers(const Url& from, const Url& to);

// "a -> b -> a": also says whether the hops are a loop or an endless chain.
std::string describe_redirects(const std::vector<std::string>& hops);

}  // namespace heddle::net

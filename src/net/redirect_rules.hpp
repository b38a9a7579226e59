// Which redirects are followed, and how a request changes for the next hop. Pure.
#pragma once

#include <string>
#include <vector>

#include "model/web/fetch.hpp"
#include "model/web/url.hpp"

namespace heddle::net {

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

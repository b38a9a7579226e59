// Fetches over HTTP. Every request of the engine and of scripts goes through this client, which
// applies guard, limits and redirect rules. One event loop; not thread-safe.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/async.hpp"
#include "base/result.hpp"
#include "model/job/job.hpp"
#include "model/web/address_guard.hpp"
#include "model/web/fetch.hpp"

namespace heddle::net {

class CookieJar;
class RedirectPolicy;

// NB: Asio's `fetch || timer` joins variants: it gives variant<FetchResponse, FetchError,
// monostate>.
using FetchOutcome = std::variant<FetchResponse, FetchError>;

// Trivial on purpose: GCC 12 destroys other aggregates twice inside co_await expressions.
struct FetchOptions {
  TrafficClass traffic = TrafficClass::fetch;
  const AddressGuard* guard = nullptr;        // a job's narrower one; nullptr: the project's
  CookieJar* cookies = nullptr;               // nullptr: none are kept or sent
  RedirectPolicy* redirect_policy = nullptr;  // nullptr: only the guard restricts redirects
  bool fails_on_http_error = true;  // a status outside 2xx (and 304) is a FetchError of kind http
};

struct ClientSettings {
  NetworkRules network;
  std::map<std::string, HostRule> hosts;  // for their headers
  std::chrono::milliseconds connect_timeout = std::chrono::seconds(10);
  std::size_t max_header_bytes = 262'144;
  long max_idle_connections = 64;
  // Overrides DNS for names it returns addresses for. For tests.
  std::function<std::vector<IpAddress>(std::string_view host)> names;
};

class Client {
 public:
  // Refuses invalid [network] lists.
  static Result<std::unique_ptr<Client>> make(boost::asio::any_io_executor loop,
                                              ClientSettings settings);
  ~Client();  // running fetches end with an error
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Follows redirects; the request's timeout covers all hops. The objects in `options` must outlive
  // the fetch. Cancelling or destroying the coroutine ends the transfer.
  Async<FetchOutcome> fetch(FetchRequest request, FetchOptions options);
  Async<FetchOutcome> fetch(FetchRequest request);

  // Initialises TLS now instead of in the first fetch: takes a few milliseconds.
  static void warm_up();

  // The project's guard for this class of traffic.
  [[nodiscard]] const AddressGuard& guard(TrafficClass traffic) const;

 private:
  class Impl;
  explicit Client(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;  // shared with running fetches
};

}  // namespace heddle::net

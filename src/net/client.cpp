#include "net/client.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <fmt/format.h>

#include "base/quantity.hpp"
#include "net/cookie_jar.hpp"
#include "net/curl_loop.hpp"
#include "net/fetch_errors.hpp"
#include "net/redirect_policy.hpp"
#include "net/redirect_rules.hpp"
#include "net/request_rules.hpp"
#include "net/resolver.hpp"
#include "net/transfer.hpp"

namespace heddle::net {

namespace asio = boost::asio;

namespace {

constexpr std::size_t kIdleHandles = 64;
constexpr std::size_t kMaxPools = 32;
constexpr auto kQuietly = asio::as_tuple(asio::use_awaitable);

std::string user_agent_of(const ClientSettings& settings) {
  if (!settings.network.user_agent.empty()) return settings.network.user_agent;
  return "Heddle/" HEDDLE_VERSION " (+self-hosted web monitor)";
}

// Lists the timer a transfer waits on, so that closing the client can wake it.
class ListedAlarm {
 public:
  ListedAlarm(std::vector<asio::steady_timer*>& list, asio::steady_timer& alarm)
      : list_(list), alarm_(&alarm) {
    list_.push_back(alarm_);
  }
  ~ListedAlarm() { std::erase(list_, alarm_); }
  ListedAlarm(const ListedAlarm&) = delete;
  ListedAlarm& operator=(const ListedAlarm&) = delete;

 private:
  std::vector<asio::steady_timer*>& list_;
  asio::steady_timer* alarm_;
};

// Removes a started transfer from libcurl however the coroutine ends.
class StartedTransfer {
 public:
  StartedTransfer(CurlLoop& loop, CURL* easy) : loop_(loop), easy_(easy) {
    has_started_ = loop_.add(easy_) == CURLM_OK;
  }
  ~StartedTransfer() {
    if (has_started_) loop_.remove(easy_);
  }
  StartedTransfer(const StartedTransfer&) = delete;
  StartedTransfer& operator=(const StartedTransfer&) = delete;
  [[nodiscard]] bool has_started() const { return has_started_; }

 private:
  CurlLoop& loop_;
  CURL* easy_;
  bool has_started_ = false;
};

FetchError broken(std::string_view url, std::string_view problem) {
  return {.kind = FetchErrorKind::unknown, .message = fmt::format("{}: {}", url, problem)};
}

}  // namespace

class Client::Impl : public std::enable_shared_from_this<Client::Impl> {
 public:
  Impl(asio::any_io_executor loop, ClientSettings settings, AddressGuard fetch_guard,
       AddressGuard delivery_guard)
      : loop_(std::move(loop)),
        settings_(std::move(settings)),
        fetch_guard_(std::move(fetch_guard)),
        delivery_guard_(std::move(delivery_guard)),
        handle_settings_{user_agent_of(settings_), settings_.network.ca_file,
                         settings_.connect_timeout} {}

  [[nodiscard]] const AddressGuard& guard(TrafficClass traffic) const {
    return traffic == TrafficClass::fetch ? fetch_guard_ : delivery_guard_;
  }

  Async<FetchOutcome> fetch(FetchRequest request, FetchOptions options);

  // Ends every running fetch with an error at its next step.
  void close() {
    is_closed_ = true;
    for (asio::steady_timer* alarm : alarms_) alarm->cancel();
  }

 private:
  // One fetch over all its hops.
  struct FetchState {
    FetchRequest request;
    FetchOptions options;
    const AddressGuard* guard;
    std::chrono::steady_clock::time_point started;
    Url url{};
    std::optional<ProxyUrl> proxy{};
    std::vector<IpAddress> target{};  // of this hop, when resolved here
    std::vector<std::string> hops{};
    bool takes_host_headers = true;

    [[nodiscard]] Deadline deadline() const { return started + request.timeout; }
  };

  std::optional<FetchError> begin(FetchState& state);
  std::optional<FetchOutcome> settle(FetchState& state, FetchResponse& response);
  std::optional<FetchError> follow(FetchState& state, const FetchResponse& response);
  Async<std::optional<FetchError>> check_redirect_policy(const FetchState& state);
  [[nodiscard]] const Headers& host_headers(const FetchState& state) const;
  Async<std::optional<FetchError>> check_target(FetchState& state);
  Async<FetchOutcome> exchange(FetchState& state);
  Async<FetchOutcome> run(FetchState& state, const Hop& hop);
  std::shared_ptr<CurlLoop> pool_for(const AddressGuard& guard);
  CurlEasy take_handle();
  void release(CurlEasy handle);

  asio::any_io_executor loop_;
  ClientSettings settings_;
  AddressGuard fetch_guard_;
  AddressGuard delivery_guard_;
  HandleSettings handle_settings_;
  Resolver resolver_;
  // A reused connection is not checked again: different guards share none.
  std::map<std::string, std::shared_ptr<CurlLoop>, std::less<>> pools_;
  std::vector<CurlEasy> idle_handles_;
  std::vector<asio::steady_timer*> alarms_;  // of running transfers
  bool is_closed_ = false;
};

std::optional<FetchError> Client::Impl::begin(FetchState& state) {
  FetchRequest& request = state.request;
  if (const auto checked = check_request(request); !checked)
    return broken(request.url, checked.error().message);
  auto url = Url::parse(request.url);
  if (!url) return FetchError{.kind = FetchErrorKind::blocked, .message = url.error().message};
  state.url = std::move(*url);
  state.hops.push_back(state.url.without_fragment());
  if (request.proxy.empty()) return std::nullopt;
  auto proxy = ProxyUrl::parse(request.proxy);
  if (!proxy) return FetchError{.kind = FetchErrorKind::proxy, .message = proxy.error().message};
  state.proxy = std::move(*proxy);
  return std::nullopt;
}

std::optional<FetchError> Client::Impl::follow(FetchState& state, const FetchResponse& response) {
  const std::string* location = find_header(response.headers, "location");
  auto next = state.url.resolve(*location);
  if (!next) return refused(state.url.text(), fmt::format("redirects to {}", next.error().message));
  prepare_for_redirect(state.request, response.status, state.url, *next);
  state.takes_host_headers = may_take_host_headers(state.url, *next) &&
                             (state.takes_host_headers || state.url.host() != next->host());
  state.url = std::move(*next);
  state.hops.push_back(state.url.without_fragment());
  if (static_cast<int>(state.hops.size()) - 1 <= state.request.max_redirects) return std::nullopt;
  return FetchError{.kind = FetchErrorKind::http,
                    .message = fmt::format("gave up after {}: {}",
                                           counted(state.request.max_redirects, "redirect"),
                                           describe_redirects(state.hops)),
                    .proxy = response.proxy};
}

// Behind a proxy no own socket connects to the target, so its addresses are checked here.
Async<std::optional<FetchError>> Client::Impl::check_target(FetchState& state) {
  const std::string_view host = state.url.host();
  if (const auto reason = state.guard->refusal_before_connecting(host))
    co_return refused(state.url.text(), *reason);
  state.target.clear();
  if (settings_.names) state.target = settings_.names(host);
  if (!state.proxy) co_return std::nullopt;

  Result<std::vector<IpAddress>> addresses = state.target;
  if (addresses->empty())
    addresses = co_await resolver_.resolve(std::string(host), state.deadline());
  if (!addresses && state.guard->allows_host(host)) co_return std::nullopt;
  if (!addresses)
    co_return FetchError{.kind = addresses.error().code == ErrorCode::timeout
                                     ? FetchErrorKind::timeout
                                     : FetchErrorKind::dns,
                         .message = addresses.error().message +
                                    "; Heddle resolves names itself also when a proxy is used, "
                                    "unless [network] allow lists the name",
                         .proxy = state.proxy->redacted(),
                         .transient = true};
  for (const IpAddress& address : *addresses)
    if (const auto reason = state.guard->refusal(host, address))
      co_return refused(state.url.text(), *reason);
  state.target = std::move(*addresses);
  co_return std::nullopt;
}

// Subject to the timeout: a slow policy must not extend the request.
Async<std::optional<FetchError>> Client::Impl::check_redirect_policy(const FetchState& state) {
  using namespace asio::experimental::awaitable_operators;
  if (state.options.redirect_policy == nullptr) co_return std::nullopt;
  asio::steady_timer alarm(loop_, state.deadline());
  auto winner =
      co_await (state.options.redirect_policy->refuse(state.url) || alarm.async_wait(kQuietly));
  if (winner.index() == 1)
    co_return FetchError{
        .kind = FetchErrorKind::timeout,
        .message = fmt::format(
            "{}: robots.txt could not be read within {} ms, so the redirect was not followed",
            state.url.text(), state.request.timeout.count()),
        .transient = true};
  auto reason = std::get<0>(std::move(winner));
  if (!reason) co_return std::nullopt;
  co_return FetchError{.kind = FetchErrorKind::blocked,
                       .message = fmt::format("{} redirects to {}, which is refused: {}",
                                              state.hops.front(), state.url.text(), *reason)};
}

const Headers& Client::Impl::host_headers(const FetchState& state) const {
  static const Headers none;
  if (!state.takes_host_headers) return none;
  const auto rule = settings_.hosts.find(std::string(state.url.host()));
  return rule == settings_.hosts.end() ? none : rule->second.headers;
}

Async<FetchOutcome> Client::Impl::exchange(FetchState& state) {
  if (auto refusal = co_await check_target(state)) co_return std::move(*refusal);
  SentHeaders sent = merge_headers(state.request.headers, host_headers(state));
  const Hop hop{.url = &state.url,
                .method = state.request.method,
                .body = state.request.body,
                .headers = &sent.headers,
                .cookie = std::move(sent.cookie),
                .cookie_jar = state.options.cookies == nullptr
                                  ? nullptr
                                  : state.options.cookies->native_handle(),
                .proxy = state.proxy ? &*state.proxy : nullptr,
                .guard = state.proxy ? &delivery_guard_ : state.guard,
                .fixed_addresses = state.target,
                .max_body_bytes = state.request.max_body_bytes,
                .max_header_bytes = settings_.max_header_bytes};
  FetchOutcome outcome = co_await run(state, hop);
  if (const auto* response = std::get_if<FetchResponse>(&outcome);
      response && state.options.cookies)
    state.options.cookies->count_set(static_cast<std::size_t>(
        std::count_if(response->headers.begin(), response->headers.end(),
                      [](const Header& header) { return header.first == "set-cookie"; })));
  co_return outcome;
}

Async<FetchOutcome> Client::Impl::run(FetchState& state, const Hop& hop) {
  if (is_closed_) co_return broken(state.url.text(), "the client was closed");
  const std::shared_ptr<CurlLoop> pool = pool_for(*state.guard);
  CurlEasy handle = take_handle();
  if (!handle) co_return broken(state.url.text(), "out of memory");
  FetchOutcome outcome;
  {
    asio::steady_timer alarm(loop_, state.deadline());
    Transfer transfer(handle, hop, alarm);
    const StartedTransfer running(*pool, handle.get());
    if (!running.has_started()) co_return broken(state.url.text(), "libcurl refused the request");
    const ListedAlarm listed(alarms_, alarm);
    const auto [reason] = co_await alarm.async_wait(kQuietly);
    if (is_closed_) co_return broken(state.url.text(), "the client was closed");
    if (!transfer.is_finished() && reason)  // the coroutine was cancelled
      throw boost::system::system_error(asio::error::operation_aborted);
    if (!transfer.is_finished())
      outcome = timed_out(transfer, state.request.timeout);
    else if (transfer.outcome() != CURLE_OK)
      outcome = failed(transfer);
    else if (const auto problem = transfer.length_problem())
      outcome = wrong_length(transfer, *problem);
    else
      outcome = transfer.take_response();
  }
  release(std::move(handle));
  co_return outcome;
}

Async<FetchOutcome> Client::Impl::fetch(FetchRequest request, FetchOptions options) {
  const auto self = shared_from_this();
  FetchState state{.request = std::move(request),
                   .options = options,
                   .guard = options.guard != nullptr ? options.guard : &guard(options.traffic),
                   .started = std::chrono::steady_clock::now()};
  if (auto problem = begin(state)) co_return std::move(*problem);
  while (true) {
    FetchOutcome outcome = co_await exchange(state);
    auto* response = std::get_if<FetchResponse>(&outcome);
    if (response == nullptr) co_return outcome;
    if (auto end = settle(state, *response)) co_return std::move(*end);
    if (auto refusal = co_await check_redirect_policy(state)) co_return std::move(*refusal);
  }
}

// The final outcome, or nullopt when the response redirects to the next hop.
std::optional<FetchOutcome> Client::Impl::settle(FetchState& state, FetchResponse& response) {
  response.time = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - state.started);
  if (is_followed_redirect(response.status) &&
      find_header(response.headers, "location") != nullptr) {
    auto problem = follow(state, response);
    if (!problem) return std::nullopt;
    problem->response = std::move(response);
    return std::move(*problem);
  }
  const bool is_fine = (response.status >= 200 && response.status < 300) ||
                       response.status == 304 || !state.options.fails_on_http_error;
  if (is_fine) return std::move(response);
  return http_error(std::move(response));
}

std::shared_ptr<CurlLoop> Client::Impl::pool_for(const AddressGuard& guard) {
  if (const auto found = pools_.find(guard.key()); found != pools_.end()) return found->second;
  if (pools_.size() >= kMaxPools)
    std::erase_if(pools_, [](const auto& pool) { return pool.second->running() == 0; });
  auto pool = std::make_shared<CurlLoop>(loop_, settings_.max_idle_connections);
  pools_.emplace(guard.key(), pool);
  return pool;
}

CurlEasy Client::Impl::take_handle() {
  if (idle_handles_.empty()) return make_handle(handle_settings_);
  CurlEasy handle = std::move(idle_handles_.back());
  idle_handles_.pop_back();
  return handle;
}

void Client::Impl::release(CurlEasy handle) {
  if (idle_handles_.size() < kIdleHandles) idle_handles_.push_back(std::move(handle));
}

void Client::warm_up() {
  // Reference-counted by libcurl and never released, like the implicit one. A failure here occurs
  // again, with a reason, in the fetch.
  static_cast<void>(curl_global_init(CURL_GLOBAL_DEFAULT));
}

Result<std::unique_ptr<Client>> Client::make(asio::any_io_executor loop, ClientSettings settings) {
  auto fetch_guard = AddressGuard::make(settings.network, TrafficClass::fetch);
  if (!fetch_guard) return std::move(fetch_guard.error());
  auto delivery_guard = AddressGuard::make(settings.network, TrafficClass::delivery);
  if (!delivery_guard) return std::move(delivery_guard.error());
  auto impl = std::make_shared<Impl>(std::move(loop), std::move(settings), std::move(*fetch_guard),
                                     std::move(*delivery_guard));
  return std::unique_ptr<Client>(new Client(std::move(impl)));
}

Client::Client(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
Client::~Client() {
  impl_->close();
}

Async<FetchOutcome> Client::fetch(FetchRequest request, FetchOptions options) {
  return impl_->fetch(std::move(request), options);
}

Async<FetchOutcome> Client::fetch(FetchRequest request) {
  return impl_->fetch(std::move(request), FetchOptions{});
}

const AddressGuard& Client::guard(TrafficClass traffic) const {
  return impl_->guard(traffic);
}

}  // namespace heddle::net

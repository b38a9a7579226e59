#include "net/robots/robots_cache.hpp"

#include <algorithm>
#include <unordered_map>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/format.h>

namespace heddle::net {

namespace asio = boost::asio;

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds kFreshFor = 24h;
constexpr std::chrono::milliseconds kRetryAfterFailure = 5min;
constexpr std::size_t kMaxOrigins = 20'000;
constexpr std::size_t kMaxDownload = 4'000'000;  // larger ones are not a robots.txt
constexpr int kMaxRedirects = 5;

// The result of one download: rules, or the reason why there are none.
struct Download {
  std::optional<RobotsRules> rules;
  std::string failure{};
};

// RFC 9309: no such file (or a redirect chain that leads nowhere) allows everything; a server that
// fails to answer forbids everything for now. 429 counts as such a failure.
Download download_of(FetchOutcome outcome) {
  if (const auto* response = std::get_if<FetchResponse>(&outcome))
    return {RobotsRules::parse(response->body)};
  const auto& error = std::get<FetchError>(outcome);
  const int status = error.response ? error.response->status : 0;
  const bool has_none = status >= 300 && status < 500 && status != 429;
  // A page at a blocked address must fail as blocked, not as forbidden by a robots.txt.
  if (has_none || error.kind == FetchErrorKind::blocked) return {RobotsRules::allow_all()};
  return {std::nullopt, error.message};
}

}  // namespace

class RobotsCache::Impl : public std::enable_shared_from_this<RobotsCache::Impl> {
 public:
  Impl(Client& client, const Clock& clock, HostGate* gate)
      : client_(client), clock_(clock), gate_(gate) {}

  Async<RobotsAnswer> check(Url page, FetchOptions options, std::string proxy, HostGate* gate) {
    const auto self = shared_from_this();
    const std::string origin = page.origin();
    while (true) {
      Entry& entry = find(origin);
      if (entry.fresh_until > clock_.steady_now()) co_return answer(entry, page);
      if (entry.loading && (gate != nullptr || !entry.waits_at_gate)) {
        const std::shared_ptr<asio::steady_timer> loading = entry.loading;
        co_await loading->async_wait(asio::as_tuple(asio::use_awaitable));
        continue;
      }
      const Fetching how{options, proxy, gate};
      co_await load(origin, page, how);
    }
  }

  [[nodiscard]] HostGate* gate() const { return gate_; }

  [[nodiscard]] std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    Deadline fresh_until = Deadline::min();
    std::optional<RobotsRules> rules{};  // of the last successful download
    std::string failure{};
    std::shared_ptr<asio::steady_timer> loading{};  // set while a download runs
    bool waits_at_gate = false;                     // that download has not begun yet
  };

  struct Fetching {
    FetchOptions options;
    const std::string& proxy;
    HostGate* gate;  // nullptr: does not enter the gate
  };

  // Wakes the coroutines that wait for a download however it ends.
  struct Loading {
    Loading(Impl& owner, const std::string& of_origin, const asio::any_io_executor& loop)
        : cache(owner),
          origin(of_origin),
          signal(std::make_shared<asio::steady_timer>(loop, Deadline::max())) {
      cache.find(origin).loading = signal;
    }
    ~Loading() {
      Entry& entry = cache.find(origin);
      if (entry.loading == signal) entry.loading.reset();  // not that of a later download
      signal->cancel();
    }
    Loading(const Loading&) = delete;
    Loading& operator=(const Loading&) = delete;

    Impl& cache;
    const std::string& origin;
    std::shared_ptr<asio::steady_timer> signal;
  };

  Async<void> load(const std::string& origin, const Url& page, const Fetching& how) {
    const Loading loading(*this, origin, co_await asio::this_coro::executor);
    HostGrant grant;
    find(origin).waits_at_gate = how.gate != nullptr;
    if (how.gate != nullptr) grant = co_await how.gate->enter(gate_key(page));
    if (find(origin).fresh_until > clock_.steady_now()) co_return;  // another caller has loaded it
    find(origin).waits_at_gate = false;
    FetchRequest request;
    request.url = origin + "/robots.txt";
    request.proxy = how.proxy;
    request.max_body_bytes = kMaxDownload;
    request.max_redirects = kMaxRedirects;
    FetchOptions options = how.options;
    options.cookies = nullptr;
    options.redirect_policy = nullptr;
    options.fails_on_http_error = true;
    Download download = download_of(co_await client_.fetch(std::move(request), options));
    Entry& entry = find(origin);
    entry.failure = std::move(download.failure);
    entry.fresh_until = clock_.steady_now() + (download.rules ? kFreshFor : kRetryAfterFailure);
    if (download.rules) entry.rules = std::move(download.rules);
  }

  RobotsAnswer answer(const Entry& entry, const Url& page) const {
    if (!entry.rules)
      return {
          .verdict = RobotsVerdict::unreachable,
          .reason = fmt::format("{}/robots.txt cannot be read: {}", page.origin(), entry.failure)};
    RobotsAnswer answer{.crawl_delay = entry.rules->crawl_delay()};
    if (answer.crawl_delay && gate_ != nullptr)
      gate_->keep_apart(gate_key(page), std::min<std::chrono::milliseconds>(*answer.crawl_delay,
                                                                            kLongestCrawlDelay));
    if (!entry.rules->allows(page.path_and_query())) {
      answer.verdict = RobotsVerdict::disallowed;
      answer.reason =
          fmt::format("{}/robots.txt disallows {}", page.origin(), page.path_and_query());
    }
    return answer;
  }

  Entry& find(const std::string& origin) {
    if (const auto found = entries_.find(origin); found != entries_.end()) return found->second;
    if (entries_.size() >= kMaxOrigins) make_room();
    return entries_[origin];
  }

  void make_room() {
    const Deadline now = clock_.steady_now();
    std::erase_if(entries_, [&](const auto& entry) {
      return entry.second.fresh_until <= now && !entry.second.loading;
    });
    for (auto entry = entries_.begin(); entries_.size() >= kMaxOrigins && entry != entries_.end();)
      entry = entry->second.loading ? std::next(entry) : entries_.erase(entry);
  }

  Client& client_;
  const Clock& clock_;
  HostGate* gate_;
  std::unordered_map<std::string, Entry> entries_;
};

RobotsCache::RobotsCache(Client& client, const Clock& clock, HostGate* gate)
    : impl_(std::make_shared<Impl>(client, clock, gate)) {}
RobotsCache::~RobotsCache() = default;

Async<RobotsAnswer> RobotsCache::check(Url page, FetchOptions options, std::string proxy) {
  return impl_->check(std::move(page), options, std::move(proxy), impl_->gate());
}

Async<RobotsAnswer> RobotsCache::check_inside_gate(Url page, FetchOptions options,
                                                   std::string proxy) {
  return impl_->check(std::move(page), options, std::move(proxy), nullptr);
}

std::size_t RobotsCache::remembered_origins() const {
  return impl_->size();
}

}  // namespace heddle::net

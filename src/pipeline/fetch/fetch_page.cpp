#include "pipeline/fetch/fetch_page.hpp"

#include <fmt/format.h>

#include "net/hosts/retry_after.hpp"
#include "net/robots/robots_redirect_policy.hpp"
#include "pages/outcome/expectations.hpp"
#include "pipeline/page_checks.hpp"

namespace heddle::pipeline {

namespace {

constexpr std::chrono::seconds kMinLoggedDelay{10};  // shorter waits for a host are not logged

FailedFetch refused(ErrorKind kind, std::string message) {
  FailedFetch failed;
  failed.error.kind = FetchErrorKind::blocked;
  failed.error.message = message;
  failed.failure.error = {kind, std::move(message), ""};
  return failed;
}

void make_conditional(const JobPlan& plan, FetchSpec& spec) {
  if (!is_conditional_fetch(plan, spec)) return;
  FetchRequest& request = spec.request;
  const auto& memory = spec.memory;
  if (!memory->etag.empty()) request.headers.emplace_back("If-None-Match", memory->etag);
  if (!memory->last_modified.empty())
    request.headers.emplace_back("If-Modified-Since", memory->last_modified);
}

class PageFetch {
 public:
  PageFetch(const CycleServices& services, JobSession& job, const FetchSpec& spec)
      : services_(services), job_(job), stop_(spec.stop), is_discovered_(spec.is_discovered) {}

  Async<FetchPageResult> fetch(FetchRequest request) {
    const auto url = Url::parse(request.url);
    if (!url) co_return refused(ErrorKind::bad_url, url.error().message);
    if (auto disallowed = co_await check_robots(*url, request.proxy))
      co_return std::move(*disallowed);
    if (auto request_text = sharing_key(request)) {
      auto pending = services_.downloads.get_or_start(std::move(*request_text), job_.plan.job.id);
      auto lookup = co_await std::move(pending);
      if (lookup.response) co_return settle(std::move(*lookup.response), *url);
      promise_ = std::move(lookup.promise);
    }
    auto grant = co_await enter_gate(services_.gate, net::gate_key(*url), stop_, Deadline::max());
    if (!grant) co_return stopped();
    // The host grant is held for the transfer only, not for what follows.
    auto outcome = co_await download(std::move(request));
    grant.reset();
    share(outcome);
    co_return settle(std::move(outcome), *url);
  }

 private:
  // By what this job expects: jobs that share a download may expect different things.
  FetchPageResult settle(net::FetchOutcome outcome, const Url& url) {
    judge_status(job_.plan.job, outcome);
    if (auto* response = std::get_if<FetchResponse>(&outcome)) return std::move(*response);
    FailedFetch failed;
    failed.error = std::get<FetchError>(std::move(outcome));
    failed.failure = classify_failure(services_, job_.plan.job, url.text(), failed.error);
    return failed;
  }

  // A response to a request with cookies may be personal: it is not shared.
  void share(const net::FetchOutcome& outcome) {
    const auto* response = std::get_if<FetchResponse>(&outcome);
    if (promise_ && response != nullptr && job_.cookies.lines().empty())
      promise_->fulfill(*response);
  }

  // Everything that affects the response; nullopt: it cannot be shared.
  std::optional<std::string> sharing_key(const FetchRequest& request) {
    const bool only_reads = request.method == "GET" && request.body.empty();
    if (!job_.shares_pages || !only_reads || !job_.cookies.lines().empty()) return std::nullopt;
    std::string text =
        fmt::format("{}\n{}\n{} {} {}", request.url, request.proxy, request.max_body_bytes,
                    request.max_redirects, is_obeyed(job_.plan.job.robots));
    for (const auto& [name, value] : request.headers) text += fmt::format("\n{}: {}", name, value);
    return text;
  }

  [[nodiscard]] net::FetchOptions options() {
    net::FetchOptions chosen;
    chosen.cookies = &job_.cookies;
    return chosen;
  }

  static FailedFetch stopped() {
    FailedFetch failed =
        refused(ErrorKind::interrupted, "the run ended before this page was fetched");
    failed.failure.was_stopped = true;
    return failed;
  }

  [[nodiscard]] bool is_obeyed(RobotsRule rule) const {
    return rule == RobotsRule::obey || (rule == RobotsRule::discovered_only && is_discovered_);
  }

  [[nodiscard]] bool obeys_robots(const Url& url) const {
    const auto host = services_.project.hosts.find(std::string(url.host()));
    if (host != services_.project.hosts.end() && host->second.robots)
      return is_obeyed(*host->second.robots);
    return is_obeyed(job_.plan.job.robots);
  }

  Async<std::optional<FailedFetch>> check_robots(const Url& url, std::string proxy) {
    if (!obeys_robots(url)) co_return std::nullopt;
    const auto checked = co_await services_.robots.check(url, options(), std::move(proxy));
    if (checked.verdict == net::RobotsVerdict::allowed) co_return std::nullopt;
    FailedFetch failed = refused(ErrorKind::robots, checked.reason);
    failed.failure.transient = checked.verdict == net::RobotsVerdict::unreachable;
    co_return failed;
  }

  // robots.txt is checked at every redirect.
  Async<net::FetchOutcome> download(FetchRequest request) {
    const std::string proxy = request.proxy;
    net::FetchOptions chosen = options();
    std::optional<net::RobotsRedirectPolicy> judge;
    const bool may_obey = is_obeyed(job_.plan.job.robots) || !services_.project.hosts.empty();
    if (may_obey) {
      judge.emplace(services_.robots, options(), proxy,
                    [this](const Url& next) { return obeys_robots(next); });
      chosen.redirect_policy = &*judge;
    }
    auto outcome = co_await services_.client.fetch(std::move(request), chosen);
    const auto* error = std::get_if<FetchError>(&outcome);
    const bool is_proxy_failure = error != nullptr && error->kind != FetchErrorKind::http &&
                                  error->kind != FetchErrorKind::blocked;
    if (!proxy.empty() && is_proxy_failure) job_.proxies.report_failure(proxy);
    co_return outcome;
  }

  const CycleServices& services_;
  JobSession& job_;
  StopSignal* stop_;
  bool is_discovered_;
  std::unique_ptr<SharedDownloads::Promise> promise_;  // while other jobs may wait
};

}  // namespace

bool is_conditional_fetch(const JobPlan& plan, const FetchSpec& spec) {
  const auto& memory = spec.memory;
  if (!memory || memory->rules_hash != plan.rules_hash || spec.request.method != "GET")
    return false;
  return !memory->etag.empty() || !memory->last_modified.empty();
}

FetchRequest request_for(JobSession& session, const std::string& url) {
  const Job& job = session.plan.job;
  FetchRequest request;
  const auto parsed = Url::parse(url);
  request.url = parsed ? parsed->text() : url;  // the fetch reports the error
  request.method = job.method;
  request.headers = job.headers;
  request.body = job.body;
  request.timeout = job.timeout;
  request.max_body_bytes = static_cast<std::size_t>(job.limits.body);
  request.max_redirects = job.limits.redirects;
  request.proxy = session.proxies.pick();
  return request;
}

Async<FetchPageResult> fetch_page(const CycleServices& services, JobSession& job, FetchSpec spec) {
  make_conditional(job.plan, spec);
  PageFetch fetch(services, job, spec);
  co_return co_await fetch.fetch(std::move(spec.request));
}

PageFailure classify_failure(const CycleServices& services, const Job& job, const std::string& url,
                             const FetchError& error) {
  PageFailure failure;
  failure.error = {kind_of(error.kind), error.message, ""};
  if (error.kind == FetchErrorKind::timeout)
    failure.error.message += "; raise `timeout` if the site needs longer";
  failure.transient = error.transient;
  if (!error.response) return failure;
  if (error.kind == FetchErrorKind::http && expects_status(job))
    failure.error = pages::broken_status(job.expect, error.message);
  failure.retry_after = net::asked_to_wait(*error.response, job.retry, services.clock.now());
  // The host that answered, after redirects.
  auto parsed = Url::parse(error.response->url);
  if (!parsed) parsed = Url::parse(url);
  if (!failure.retry_after || !parsed) return failure;
  const auto wait = *failure.retry_after;
  services.gate.slow_down(net::gate_key(*parsed), std::chrono::steady_clock::now() + wait);
  if (wait >= kMinLoggedDelay)
    services.log.warn(fmt::format("job '{}': {} answered {}: no job sends requests to it for {}",
                                  job.name, net::gate_key(*parsed), error.response->status,
                                  to_short_text(wait)));
  return failure;
}

}  // namespace heddle::pipeline

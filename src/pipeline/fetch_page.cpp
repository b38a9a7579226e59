#include "pipeline/fetch_page.hpp"

#include <fmt/format.h>

#include "net/retry_after.hpp"
#include "net/robots_judge.hpp"

namespace heddle::pipeline {

namespace {

constexpr std::chrono::seconds kWorthTelling{10};  // of a host that is left alone

FailedFetch refused(std::string kind, std::string message) {
  FailedFetch failed;
  failed.error.kind = FetchErrorKind::blocked;
  failed.error.message = message;
  failed.failure.error = {std::move(kind), std::move(message), ""};
  return failed;
}

void make_conditional(const JobPlan& plan, FetchOrder& order) {
  if (!is_made_conditional(plan, order)) return;
  FetchRequest& request = order.request;
  const auto& memory = order.memory;
  if (!memory->etag.empty()) request.headers.emplace_back("If-None-Match", memory->etag);
  if (!memory->last_modified.empty())
    request.headers.emplace_back("If-Modified-Since", memory->last_modified);
}

class PageFetch {
 public:
  PageFetch(const Services& services, JobState& job, Stop* stop)
      : services_(services), job_(job), stop_(stop) {}

  Async<FetchPageResult> fetch(FetchRequest request) {
    const auto url = Url::parse(request.url);
    if (!url) co_return refused("bad_url", url.error().message);
    if (auto barred = co_await check_robots(*url, request.proxy)) co_return std::move(*barred);
    if (auto request_text = describe_if_shared(request)) {
      auto asked = services_.downloads.ask(std::move(*request_text), job_.plan.job.id);
      auto answer = co_await std::move(asked);
      if (answer.response) co_return std::move(*answer.response);
      turn_ = std::move(answer.turn);
    }
    auto grant =
        co_await enter_gate(services_.gate, std::string(url->host()), stop_, Deadline::max());
    if (!grant) co_return stopped();
    // The host's place in line is held for the transfer only, not for what follows.
    auto outcome = co_await download(std::move(request));
    grant.reset();
    if (auto* error = std::get_if<FetchError>(&outcome)) {
      FailedFetch failed;
      failed.failure = judge(services_, job_.plan.job, url->text(), *error);
      failed.error = std::move(*error);
      co_return failed;
    }
    auto& response = std::get<FetchResponse>(outcome);
    // What a site tells this visitor alone is not passed on.
    if (turn_ && job_.cookies.lines().empty()) turn_->share(response);
    co_return std::move(response);
  }

 private:
  // All that makes a difference to the answer; nullopt: nobody else could want the same.
  std::optional<std::string> describe_if_shared(const FetchRequest& request) {
    const bool only_reads = request.method == "GET" && request.body.empty();
    if (!job_.shares_pages || !only_reads || !job_.cookies.lines().empty()) return std::nullopt;
    std::string text =
        fmt::format("{}\n{}\n{} {} {}", request.url, request.proxy, request.max_body_bytes,
                    request.max_redirects, job_.plan.job.robots == RobotsRule::obey);
    for (const auto& [name, value] : request.headers) text += fmt::format("\n{}: {}", name, value);
    return text;
  }

  [[nodiscard]] net::FetchOptions options() {
    net::FetchOptions chosen;
    chosen.cookies = &job_.cookies;
    return chosen;
  }

  static FailedFetch stopped() {
    FailedFetch failed = refused("stopped", "the run ended before the page's turn came");
    failed.failure.was_stopped = true;
    return failed;
  }

  [[nodiscard]] bool obeys_robots(const Url& url) const {
    const auto host = services_.project.hosts.find(std::string(url.host()));
    if (host != services_.project.hosts.end() && host->second.robots)
      return *host->second.robots == RobotsRule::obey;
    return job_.plan.job.robots == RobotsRule::obey;
  }

  Async<std::optional<FailedFetch>> check_robots(const Url& url, std::string proxy) {
    if (!obeys_robots(url)) co_return std::nullopt;
    const auto answer = co_await services_.robots.check(url, options(), std::move(proxy));
    if (answer.verdict == net::RobotsVerdict::allowed) co_return std::nullopt;
    FailedFetch failed = refused("robots", answer.reason);
    failed.failure.transient = answer.verdict == net::RobotsVerdict::unreachable;
    co_return failed;
  }

  // Whoever obeys robots.txt does so at every redirect.
  Async<net::FetchOutcome> download(FetchRequest request) {
    const std::string proxy = request.proxy;
    net::FetchOptions chosen = options();
    std::optional<net::RobotsJudge> judge;
    const bool may_obey =
        job_.plan.job.robots == RobotsRule::obey || !services_.project.hosts.empty();
    if (may_obey) {
      judge.emplace(services_.robots, options(), proxy,
                    [this](const Url& next) { return obeys_robots(next); });
      chosen.judge = &*judge;
    }
    auto outcome = co_await services_.client.fetch(std::move(request), chosen);
    const auto* error = std::get_if<FetchError>(&outcome);
    const bool is_proxys_fault = error != nullptr && error->kind != FetchErrorKind::http &&
                                 error->kind != FetchErrorKind::blocked;
    if (!proxy.empty() && is_proxys_fault) job_.proxies.report_failure(proxy);
    co_return outcome;
  }

  const Services& services_;
  JobState& job_;
  Stop* stop_;
  std::unique_ptr<SharedDownloads::Turn> turn_;  // while others may wait for this download
};

}  // namespace

bool is_made_conditional(const JobPlan& plan, const FetchOrder& order) {
  const auto& memory = order.memory;
  if (!memory || memory->rules_hash != plan.rules_hash || order.request.method != "GET")
    return false;
  return !memory->etag.empty() || !memory->last_modified.empty();
}

FetchRequest request_for(JobState& state, const std::string& url) {
  const Job& job = state.plan.job;
  FetchRequest request;
  const auto parsed = Url::parse(url);
  request.url = parsed ? parsed->text() : url;  // the fetch will say what is wrong with it
  request.method = job.method;
  request.headers = job.headers;
  request.body = job.body;
  request.timeout = job.timeout;
  request.max_body_bytes = static_cast<std::size_t>(job.limits.body);
  request.max_redirects = job.limits.redirects;
  request.proxy = state.proxies.pick();
  return request;
}

Async<FetchPageResult> fetch_page(const Services& services, JobState& job, FetchOrder order) {
  make_conditional(job.plan, order);
  PageFetch fetch(services, job, order.stop);
  co_return co_await fetch.fetch(std::move(order.request));
}

PageFailure judge(const Services& services, const Job& job, const std::string& url,
                  const FetchError& error) {
  PageFailure failure;
  failure.error = {std::string(to_text(error.kind)), error.message, ""};
  if (error.kind == FetchErrorKind::timeout)
    failure.error.message += "; raise timeout if it is that slow";
  failure.transient = error.transient;
  if (!error.response) return failure;
  failure.retry_after = net::asked_to_wait(*error.response, job.retry, services.clock.now());
  const auto parsed = Url::parse(url);
  if (!failure.retry_after || !parsed) return failure;
  const auto wait = *failure.retry_after;
  services.gate.slow_down(parsed->host(), std::chrono::steady_clock::now() + wait);
  if (wait >= kWorthTelling)
    services.log.warn(fmt::format("job '{}': {} answered {}: all jobs leave it alone for {}",
                                  job.name, parsed->host(), error.response->status,
                                  to_short_text(wait)));
  return failure;
}

}  // namespace heddle::pipeline

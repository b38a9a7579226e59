#include "pipeline/fetch_page.hpp"

#include <fmt/format.h>

#include "net/retry_after.hpp"

namespace heddle::pipeline {

namespace {

constexpr int kNotModified = 304;

PageFailure refused(std::string kind, std::string message) {
  return {.error = {std::move(kind), std::move(message), ""}};
}

FetchRequest request_for(const Job& job, const Url& url) {
  FetchRequest request;
  request.url = url.text();
  request.method = job.method;
  request.headers = job.headers;
  request.body = job.body;
  request.timeout = job.timeout;
  request.max_body_bytes = static_cast<std::size_t>(job.limits.body);
  request.max_redirects = job.limits.redirects;
  return request;
}

// Only when the same rules would extract the same items: after an edit the page is needed anew.
void make_conditional(FetchRequest& request, const JobPlan& plan,
                      const std::optional<PageMemory>& memory) {
  if (!memory || memory->rules_hash != plan.rules_hash || request.method != "GET") return;
  if (!memory->etag.empty()) request.headers.emplace_back("If-None-Match", memory->etag);
  if (!memory->last_modified.empty())
    request.headers.emplace_back("If-Modified-Since", memory->last_modified);
}

class PageFetch {
 public:
  PageFetch(const Services& services, JobState& job) : services_(services), job_(job) {}

  Async<FetchPageResult> fetch(const Task& task, bool conditional) {
    auto url = Url::parse(task.url);
    if (!url) co_return refused("bad_url", std::move(url).error().message);
    FetchRequest request = request_for(job_.plan.job, *url);
    request.proxy = job_.proxies.pick();
    if (auto barred = co_await check_robots(*url, request.proxy)) co_return std::move(*barred);
    auto memory = co_await services_.store.recall_page(job_.plan.job.id, task.url);
    if (!memory)
      co_return PageFailure{.error = {"store", std::move(memory).error().message, ""},
                            .is_ours = true};
    if (conditional) make_conditional(request, job_.plan, *memory);
    auto outcome = co_await download(*url, std::move(request));
    if (auto* error = std::get_if<FetchError>(&outcome))
      co_return failure_of(*url, std::move(*error));
    FetchedPage page{std::get<FetchResponse>(std::move(outcome)), std::move(*memory)};
    page.not_modified = page.response.status == kNotModified;
    co_return page;
  }

 private:
  [[nodiscard]] net::FetchOptions options() {
    net::FetchOptions chosen;
    chosen.cookies = &job_.cookies;
    return chosen;
  }

  Async<std::optional<PageFailure>> check_robots(const Url& url, std::string proxy) {
    RobotsRule rule = job_.plan.job.robots;
    const auto host = services_.project.hosts.find(std::string(url.host()));
    if (host != services_.project.hosts.end() && host->second.robots) rule = *host->second.robots;
    if (rule != RobotsRule::obey) co_return std::nullopt;
    const auto answer = co_await services_.robots.check(url, options(), std::move(proxy));
    if (answer.verdict == net::RobotsVerdict::allowed) co_return std::nullopt;
    PageFailure failure = refused("robots", answer.reason);
    failure.transient = answer.verdict == net::RobotsVerdict::unreachable;
    co_return failure;
  }

  // The host's place in line is held for the transfer only, not for what follows.
  Async<net::FetchOutcome> download(const Url& url, FetchRequest request) {
    const std::string proxy = request.proxy;
    const auto grant = co_await services_.gate.enter(std::string(url.host()));
    auto outcome = co_await services_.client.fetch(std::move(request), options());
    const auto* error = std::get_if<FetchError>(&outcome);
    if (!proxy.empty() && error != nullptr && error->kind != FetchErrorKind::http)
      job_.proxies.report_failure(proxy);
    co_return outcome;
  }

  PageFailure failure_of(const Url& url, FetchError error) {
    PageFailure failure;
    failure.error = {std::string(to_text(error.kind)), std::move(error.message), ""};
    failure.transient = error.transient;
    if (!error.response) return failure;
    failure.retry_after = net::asked_to_wait(error.response->status, error.response->headers,
                                             services_.clock.now());
    if (failure.retry_after)
      services_.gate.slow_down(url.host(), std::chrono::steady_clock::now() + *failure.retry_after);
    return failure;
  }

  const Services& services_;
  JobState& job_;
};

}  // namespace

Async<FetchPageResult> fetch_page(const Services& services, JobState& job, const Task& task,
                                  bool conditional) {
  PageFetch fetch(services, job);
  co_return co_await fetch.fetch(task, conditional);
}

}  // namespace heddle::pipeline

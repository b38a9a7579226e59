#include "pipeline/page_checks.hpp"

#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "model/run/run_problems.hpp"
#include "pages/outcome/expectations.hpp"
#include "pages/outcome/page_outcome.hpp"
#include "pages/source/source_document.hpp"

namespace heddle::pipeline {

namespace {

// Behind wrong pages a host is asked less often. Not for as long as the page waits for its next
// try: a run of many pages has to end.
constexpr std::chrono::seconds kPauseAfterBotWall{10};
constexpr std::chrono::seconds kPauseAfterWrongPage{2};

html::ParseLimits parse_limits(const Job& job) {
  return {.max_nodes = static_cast<std::size_t>(job.limits.nodes),
          .max_depth = static_cast<std::size_t>(job.limits.html_depth)};
}

PageFailure failure_of(RunError error) {
  return {.error = std::move(error)};
}

PageFailure too_complex(std::string_view message) {
  constexpr std::string_view kKind = "too_complex: ";
  if (message.starts_with(kKind)) message.remove_prefix(kKind.size());
  return failure_of({ErrorKind::too_complex, std::string(message), ""});
}

FetchError unexpected_status(FetchResponse response) {
  FetchError error{
      .kind = FetchErrorKind::http,
      .message = fmt::format("{} answered with status {}", response.url, response.status),
      .proxy = response.proxy};
  error.response = std::move(response);
  return error;
}

}  // namespace

bool expects_status(const Job& job) {
  return !job.expect.status.empty() || job.watch == WatchKind::status;
}

void judge_status(const Job& job, net::FetchOutcome& outcome) {
  if (!expects_status(job)) return;
  if (auto* response = std::get_if<FetchResponse>(&outcome)) {
    if (!pages::accepts_status(job.expect, response->status))
      outcome = unexpected_status(std::move(*response));
    return;
  }
  auto& error = std::get<FetchError>(outcome);
  const bool has_status = error.kind == FetchErrorKind::http && error.response;
  if (!has_status || !pages::accepts_status(job.expect, error.response->status)) return;
  FetchResponse accepted = std::move(*error.response);
  outcome = std::move(accepted);
}

std::optional<PageFailure> check_text(const CycleServices& services, JobSession& job,
                                      const Extracted& page) {
  const ExpectRule& rule = job.plan.job.expect;
  if (rule.contains.empty() && rule.not_contains.empty()) return std::nullopt;
  const CpuTimer time(job.cpu_used);
  const pages::DecodedBody text{page.body, page.content_type, job.plan.job.format};
  const auto shown = pages::text_to_check(services.parser, text, parse_limits(job.plan.job));
  if (!shown) return too_complex(shown.error().message);
  RunError broken = pages::judge_text(rule, *shown);
  if (broken.kind == ErrorKind::none) return std::nullopt;
  return failure_of(std::move(broken));
}

std::optional<PageFailure> check_item_count(const Job& job, std::size_t items) {
  RunError broken = pages::judge_item_count(job.expect, static_cast<std::int64_t>(items));
  if (broken.kind == ErrorKind::none) return std::nullopt;
  return failure_of(std::move(broken));
}

std::optional<pages::ClassifiedPage> classify_body(const CycleServices& services, JobSession& job,
                                                   const FetchResponse& response,
                                                   std::string_view body) {
  const CpuTimer time(job.cpu_used);
  const std::string* header = find_header(response.headers, "content-type");
  const std::string_view type = header == nullptr ? std::string_view() : *header;
  const bool is_html = pages::detect_body(type, body).format == pages::BodyFormat::html &&
                       pages::detect_format(type, body) == PageFormat::html;
  if (body.empty() || !is_html) return std::nullopt;
  const auto url = Url::parse(response.url);
  if (!url) return std::nullopt;
  const auto document = services.parser.parse(body, parse_limits(job.plan.job));
  if (!document) return std::nullopt;
  return pages::classify_empty_page(*document, {*url, response.status, &response.headers});
}

std::optional<PageFailure> find_wrong_page(const CycleServices& services, JobSession& job,
                                           const FetchResponse& response, std::string_view body,
                                           std::string_view problem) {
  const auto page = classify_body(services, job, response, body);
  if (!page || page->page_class == pages::PageClass::error_page) return std::nullopt;
  RunError error = pages::wrong_page_error(page->page_class, problem);
  if (error.kind == ErrorKind::none) return std::nullopt;
  return wrong_page_failure(std::move(error));
}

PageFailure wrong_page_failure(RunError error) {
  PageFailure failure = failure_of(std::move(error));
  failure.transient = true;
  return failure;
}

void slow_down_behind(const CycleServices& services, ErrorKind kind, const std::string& url) {
  const auto parsed = Url::parse(url);
  if (!is_wrong_page(kind) || !parsed) return;
  const auto pause = kind == ErrorKind::bot_wall ? kPauseAfterBotWall : kPauseAfterWrongPage;
  services.gate.slow_down(net::gate_key(*parsed), std::chrono::steady_clock::now() + pause);
}

void recognize_wrong_page(const CycleServices& services, JobSession& job, FailedFetch& failed) {
  const ErrorKind kind = failed.failure.error.kind;
  const bool may_be_wrong = (kind == ErrorKind::http || kind == ErrorKind::expectation) &&
                            job.plan.job.watch != WatchKind::status;
  if (!may_be_wrong || !failed.error.response) return;
  FetchResponse response = *failed.error.response;
  const Extracted page = take_body(response);
  if (page.is_binary) return;
  auto wrong = find_wrong_page(services, job, response, page.body, failed.failure.error.message);
  if (!wrong) return;
  wrong->retry_after = failed.failure.retry_after;
  failed.failure = std::move(*wrong);
}

}  // namespace heddle::pipeline

#include "pipeline/fetch/page_source.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "pipeline/found_pages.hpp"
#include "pipeline/page_checks.hpp"
#include "pipeline/stage_timer.hpp"

namespace heddle::pipeline {

using script::ScriptHook;

namespace {

constexpr int kOk = 200;
constexpr int kNotModified = 304;
constexpr int kTooManyRequests = 429;

}  // namespace

Async<FetchPageResult> PageSource::get(const FetchRequest& request,
                                       const std::optional<PageMemory>& memory, CycleTrace& trace) {
  auto result = co_await fetch(request, memory, trace);
  if (auto* failed = std::get_if<FailedFetch>(&result))
    recognize_wrong_page(services_, job_, *failed);
  co_return result;
}

Async<FetchPageResult> PageSource::fetch(const FetchRequest& request,
                                         const std::optional<PageMemory>& memory,
                                         CycleTrace& trace) {
  if (spec_.canned != nullptr) {
    trace[Stage::fetch].status = StageStatus::success;
    co_return check_status(request, *spec_.canned);
  }
  if (hooks_ != nullptr && hooks_->has(ScriptHook::override_fetch)) {
    mark_skipped(trace, Stage::fetch, "replaced by override_fetch");
    auto given = co_await hooks_->override_fetch(request);
    if (auto* response = std::get_if<FetchResponse>(&given))
      co_return check_status(request, std::move(*response));
    co_return failed(request, std::get<FetchError>(std::move(given)));
  }
  StageTimer timer(trace, Stage::fetch);
  auto result = co_await download(request, memory);
  if (const auto* failure = std::get_if<FailedFetch>(&result))
    timer.fail(failure->failure.error.message);
  co_return result;
}

Async<FetchPageResult> PageSource::download(const FetchRequest& request,
                                            const std::optional<PageMemory>& memory) {
  FetchSpec spec;
  spec.request = request;
  spec.stop = spec_.stop;
  spec.is_discovered = is_discovered(job_.plan, spec_.lease.task);
  if (may_be_conditional(request)) spec.memory = memory;
  const bool is_conditional = is_conditional_fetch(job_.plan, spec);
  auto result = co_await fetch_page(services_, job_, std::move(spec));
  auto* response = std::get_if<FetchResponse>(&result);
  if (response == nullptr || response->status != kNotModified) co_return result;
  if (!is_conditional) co_return check_status(request, std::move(*response));
  const bool is_shown_to_script = hooks_ != nullptr && hooks_->reads_pages();
  if (!is_shown_to_script) co_return result;
  co_return co_await supply_stored_body(request, std::move(*response));
}

bool PageSource::may_be_conditional(const FetchRequest& request) const {
  if (spec_.mode != CycleMode::store) return false;
  if (finds_pages(job_.plan, spec_.lease.task)) return false;  // its links are followed every time
  const auto task = resolve_references(spec_.lease.task.url, job_.plan.job.secrets);
  const auto url = Url::parse(task ? *task : std::string());
  return url && url->text() == request.url;  // a script may have changed the URL
}

Async<bool> PageSource::use_stored_body(FetchResponse& response, bool with_body) {
  response.status = kOk;
  hooks_->context().set_not_modified(true);
  if (!with_body) co_return false;
  auto body = co_await services_.store.newest_body(job_.plan.job.id, spec_.lease.task.url);
  if (!body || !*body) co_return false;
  response.body = std::move(**body);
  std::erase_if(response.headers,
                [](const Header& header) { return header.first == "content-type"; });
  response.headers.emplace_back("content-type", "text/html; charset=utf-8");
  co_return true;
}

// Scripts see the stored body of an unmodified page; without one it is fetched unconditionally.
Async<FetchPageResult> PageSource::supply_stored_body(const FetchRequest& request,
                                                      FetchResponse response) {
  const bool has_body = co_await use_stored_body(response, true);
  if (has_body) co_return response;
  hooks_->context().set_not_modified(false);
  FetchSpec spec;
  spec.request = request;
  spec.stop = spec_.stop;
  spec.is_discovered = is_discovered(job_.plan, spec_.lease.task);
  auto result = co_await fetch_page(services_, job_, std::move(spec));
  auto* again = std::get_if<FetchResponse>(&result);
  if (again == nullptr || again->status != kNotModified) co_return result;
  co_return check_status(request, std::move(*again));
}

// Checks the status of a response that did not come from the client, or of an unexpected 304.
FetchPageResult PageSource::check_status(const FetchRequest& request,
                                         FetchResponse response) const {
  if (response.url.empty()) response.url = request.url;
  if (job_.plan.job.expect.accepts(response.status)) return response;
  FetchError error;
  error.kind = FetchErrorKind::http;
  error.message = fmt::format("the answer was {}", response.status);
  if (response.status == kNotModified)
    error.message += " (not modified) to an unconditional request";
  error.transient = response.status == kTooManyRequests || response.status >= 500;
  error.response = std::move(response);
  return failed(request, std::move(error));
}

FetchPageResult PageSource::failed(const FetchRequest& request, FetchError error) const {
  FailedFetch failure;
  failure.failure = classify_failure(services_, job_.plan.job, request.url, error);
  failure.error = std::move(error);
  return failure;
}

}  // namespace heddle::pipeline

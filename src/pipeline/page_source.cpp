#include "pipeline/page_source.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "pipeline/stage_timer.hpp"

namespace heddle::pipeline {

using script::Hook;

namespace {

constexpr int kOk = 200;
constexpr int kNotModified = 304;
constexpr int kTooManyRequests = 429;

}  // namespace

Async<FetchPageResult> PageSource::get(const FetchRequest& request,
                                       const std::optional<PageMemory>& memory, CycleTrace& trace) {
  if (order_.canned != nullptr) {
    trace[Stage::fetch].status = StageStatus::success;
    co_return judged(request, *order_.canned);
  }
  if (hooks_ != nullptr && hooks_->has(Hook::override_fetch)) {
    mark_skipped(trace, Stage::fetch, "override_fetch stands for it");
    auto given = co_await hooks_->override_fetch(request);
    if (auto* response = std::get_if<FetchResponse>(&given))
      co_return judged(request, std::move(*response));
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
  FetchOrder order;
  order.request = request;
  order.stop = order_.stop;
  if (asks_for_changes_only(request)) order.memory = memory;
  const bool is_conditional = is_made_conditional(job_.plan, order);
  auto result = co_await fetch_page(services_, job_, std::move(order));
  auto* response = std::get_if<FetchResponse>(&result);
  if (response == nullptr || response->status != kNotModified) co_return result;
  if (!is_conditional) co_return judged(request, std::move(*response));
  const bool is_shown_to_script = hooks_ != nullptr && hooks_->reads_pages();
  if (!is_shown_to_script) co_return result;
  co_return co_await supply_stored_body(request, std::move(*response));
}

bool PageSource::asks_for_changes_only(const FetchRequest& request) const {
  if (order_.mode != CycleMode::store) return false;
  const auto url = Url::parse(order_.lease.task.url);
  return url && url->text() == request.url;  // a script may have sent it elsewhere
}

Async<bool> PageSource::make_stored(FetchResponse& response, bool with_body) {
  response.status = kOk;
  hooks_->context().set_not_modified(true);
  if (!with_body) co_return false;
  auto body = co_await services_.store.newest_body(job_.plan.job.id, order_.lease.task.url);
  if (!body || !*body) co_return false;
  response.body = std::move(**body);
  std::erase_if(response.headers,
                [](const Header& header) { return header.first == "content-type"; });
  response.headers.emplace_back("content-type", "text/html; charset=utf-8");
  co_return true;
}

// Scripts see a page that has not changed as it was stored; without a stored body it is asked for
// once more.
Async<FetchPageResult> PageSource::supply_stored_body(const FetchRequest& request,
                                                      FetchResponse response) {
  const bool has_body = co_await make_stored(response, true);
  if (has_body) co_return response;
  hooks_->context().set_not_modified(false);
  FetchOrder order;
  order.request = request;
  order.stop = order_.stop;
  auto result = co_await fetch_page(services_, job_, std::move(order));
  auto* again = std::get_if<FetchResponse>(&result);
  if (again == nullptr || again->status != kNotModified) co_return result;
  co_return judged(request, std::move(*again));
}

// An answer that the client did not judge, or that nobody asked for.
FetchPageResult PageSource::judged(const FetchRequest& request, FetchResponse response) const {
  if (response.url.empty()) response.url = request.url;
  if (response.status >= 200 && response.status < 300) return response;
  FetchError error;
  error.kind = FetchErrorKind::http;
  error.message = fmt::format("the answer was {}", response.status);
  if (response.status == kNotModified) error.message += " (not modified), which was not asked for";
  error.transient = response.status == kTooManyRequests || response.status >= 500;
  error.response = std::move(response);
  return failed(request, std::move(error));
}

FetchPageResult PageSource::failed(const FetchRequest& request, FetchError error) const {
  FailedFetch failure;
  failure.failure = judge(services_, job_.plan.job, request.url, error);
  failure.error = std::move(error);
  return failure;
}

}  // namespace heddle::pipeline

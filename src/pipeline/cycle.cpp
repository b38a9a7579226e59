#include "pipeline/cycle.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "pages/typed_value.hpp"
#include "pipeline/announce.hpp"
#include "pipeline/dedup.hpp"
#include "pipeline/page_source.hpp"
#include "pipeline/scripts/cycle_hooks.hpp"
#include "pipeline/snapshot.hpp"
#include "pipeline/stage_timer.hpp"

namespace heddle::pipeline {

using script::Hook;

namespace {

constexpr int kNotModified = 304;
constexpr std::string_view kTooComplex = "too_complex: ";

PageFailure store_failure(Error error) {
  return {.error = store_error(std::move(error)), .is_ours = true};
}

script::CycleFacts facts_of(const Job& job, const CycleOrder& order, WallTime now) {
  script::CycleFacts facts;
  facts.job_id = job.id.text;
  facts.job_name = job.name;
  facts.vars.assign(job.vars.begin(), job.vars.end());
  facts.run_id = order.lease.task.run.text;
  facts.worker_id = order.worker_id;
  facts.attempt = order.lease.task.attempt;
  facts.start_time = std::chrono::duration<double>(now.time_since_epoch()).count();
  return facts;
}

// The stages in order; each returns false when the cycle ends there, with outcome_ set. A job
// without a script walks past every hook.
class Cycle {
 public:
  Cycle(const Services& services, JobState& job, const CycleOrder& order)
      : services_(services),
        job_(job),
        order_(order),
        count_(services.share, job.cycles),
        dedup_(services, job, order, {extracted_, response_, memory_, page_}) {
    page_.lease = order.lease;
    page_.job = job.plan.job.id;
    if (job.script == nullptr) return;
    const auto facts = facts_of(job.plan.job, order, services.clock.now());
    hooks_ = std::make_unique<CycleHooks>(*job.script, facts, trace_);
  }

  Async<CycleEnd> run() {
    co_await walk();
    if (hooks_) co_await tell_script();
    keep_artefacts();
    co_return CycleEnd{std::move(outcome_), std::move(trace_), extracted_.cost, bytes_};
  }

 private:
  Async<void> walk() {
    const bool is_fetched = co_await fetch();
    if (!is_fetched) co_return;
    if (!page_.unchanged) {
      const bool has_items = co_await read_items();
      if (!has_items) co_return;
      const bool is_known_what_is_new = co_await dedup();
      if (!is_known_what_is_new) co_return;
      const bool is_shaped = co_await shape();
      if (!is_shaped) co_return;
    }
    co_await store();
  }

  bool fail(PageFailure failure) {
    failure.error.url = order_.lease.task.url;
    outcome_ = std::move(failure);
    return false;
  }

  // A script ended the cycle: by returning nothing, or by using up its budget.
  Async<bool> stop_at(HookVerdict verdict, Stage first_skipped) {
    if (verdict == HookVerdict::fail) co_return fail({.error = {"script", hooks_->failure(), ""}});
    for (std::size_t i = static_cast<std::size_t>(first_skipped);
         i <= static_cast<std::size_t>(Stage::store); ++i)
      mark_skipped(trace_, static_cast<Stage>(i), "");
    extracted_.items.clear();
    page_.outcome = TaskState::skipped;
    page_.unchanged = false;
    co_await store();
    co_return false;
  }

  Async<bool> fetch() {
    request_ = request_for(job_, order_.lease.task.url);
    if (hooks_) {
      const HookVerdict verdict = co_await hooks_->before_fetch(request_);
      if (verdict != HookVerdict::go_on) co_return co_await stop_at(verdict, Stage::override_fetch);
    }
    auto memory = co_await services_.store.recall_page(page_.job, order_.lease.task.url);
    if (!memory) co_return fail(store_failure(std::move(memory).error()));
    memory_ = std::move(*memory);
    PageSource source(services_, job_, order_, hooks_.get());
    auto result = co_await source.get(request_, memory_, trace_);
    co_return co_await take_page(std::move(result));
  }

  Async<bool> take_page(FetchPageResult result) {
    if (auto* response = std::get_if<FetchResponse>(&result)) {
      note_page(std::move(*response));
      if (page_.unchanged) {
        if (hooks_) co_await show_unchanged_page();
        co_return true;
      }
      if (!hooks_) co_return true;
    } else if (!hooks_) {
      co_return fail(std::get<FailedFetch>(std::move(result)).failure);
    }
    auto* failure = std::get_if<FailedFetch>(&result);
    if (failure != nullptr && !hooks_->failure().empty()) {
      show_failed_fetch(*failure);
      co_return fail({.error = {"script", hooks_->failure(), ""}});
    }
    if (hooks_->has(Hook::after_fetch)) co_return co_await after_fetch(failure);
    if (failure == nullptr) {
      hooks_->context().offer_last_fetch([this] { return fetch_result(); });
      co_return true;
    }
    show_failed_fetch(*failure);
    co_return fail(std::move(failure->failure));
  }

  void note_page(FetchResponse response) {
    const ComputingTime time(job_.computed);
    note_response(response);
    response_ = std::move(response);
    if (!page_.unchanged) extracted_ = take_body(response_);
  }

  void show_failed_fetch(const FailedFetch& failure) {
    script::FetchResult shown;
    shown.request = request_;
    shown.error = failure.error;
    shown.response = failure.error.response;
    if (shown.response) decode(*shown.response);
    hooks_->context().set_last_fetch(shown);
  }

  // No hook takes part in what follows, but those at the end may look back.
  Async<void> show_unchanged_page() {
    script::FetchResult shown;
    shown.request = request_;
    shown.response = response_;
    if (response_.status == kNotModified) {
      PageSource source(services_, job_, order_, hooks_.get());
      co_await source.make_stored(*shown.response, hooks_->names_last_fetch());
    }
    decode(*shown.response);
    hooks_->context().set_selector_matches(static_cast<std::size_t>(memory_->item_count));
    hooks_->context().offer_last_fetch([shown = std::move(shown)] { return shown; });
  }

  // As scripts see it: with the text of the page as its body.
  [[nodiscard]] script::FetchResult fetch_result() const {
    script::FetchResult result;
    result.request = request_;
    result.response = response_;
    if (!extracted_.is_binary) result.response->body = extracted_.body;
    return result;
  }

  void note_response(const FetchResponse& response) {
    page_.fetched_at = services_.clock.now();
    bytes_ = static_cast<std::int64_t>(response.wire_bytes);
    page_.bytes = bytes_;
    page_.memory.rules_hash = job_.plan.rules_hash;
    page_.final_url = response.url;
    page_.http_status = response.status;
    note_whether_unchanged(response);
  }

  Async<bool> after_fetch(FailedFetch* failure) {
    script::FetchResult result;
    result.request = request_;
    if (failure != nullptr) {
      result.error = failure->error;
      result.response = std::move(failure->error.response);
      if (result.response) decode(*result.response);
    } else {
      if (!extracted_.is_binary) response_.body = std::move(extracted_.body);
      result.response = std::move(response_);
    }
    const HookVerdict verdict = co_await hooks_->after_fetch(result);
    // Without a response of the script's own a failed fetch stays one, whatever else it returned.
    if (verdict != HookVerdict::fail && result.error) co_return fail(std::move(failure->failure));
    if (result.response) take_back(std::move(*result.response), failure != nullptr);
    if (verdict != HookVerdict::go_on) co_return co_await stop_at(verdict, Stage::override_extract);
    co_return true;
  }

  static void decode(FetchResponse& response) {
    Extracted page = take_body(response);
    if (!page.is_binary) response.body = std::move(page.body);
  }

  void take_back(FetchResponse response, bool is_supplied) {
    response_ = std::move(response);
    if (response_.url.empty()) response_.url = request_.url;
    if (is_supplied) note_response(response_);
    if (!extracted_.is_binary) extracted_.body = std::move(response_.body);
  }

  // A page whose bytes and extraction rules are those of the last time has the same items. Scripts
  // that look at pages get to see it all the same.
  void note_whether_unchanged(const FetchResponse& response) {
    const bool same_rules = memory_ && memory_->rules_hash == job_.plan.rules_hash;
    std::string& note = trace_[Stage::fetch].note;
    if (response.status == kNotModified) {
      note = "not modified (304)";
    } else {
      page_.memory.body_hash = hash128(response.body);
      if (!same_rules || memory_->body_hash != page_.memory.body_hash) return;
      note = "same body as last time";
    }
    if (order_.mode != CycleMode::store || (hooks_ && hooks_->reads_pages())) return;
    page_.unchanged = true;
    page_.memory = *memory_;
    page_.items_seen = memory_->item_count;
    mark_skipped(trace_, Stage::extract, "page unchanged");
    mark_skipped(trace_, Stage::dedup, "page unchanged");
  }

  Async<bool> read_items() {
    const bool is_extracted = co_await extract();
    if (!is_extracted) co_return false;
    if (hooks_) {
      hooks_->context().set_selector_matches(extracted_.selector_matches);
      const auto verdict = co_await hooks_->change_items(Hook::after_extract, extracted_.items);
      if (verdict != HookVerdict::go_on) co_return co_await stop_at(verdict, Stage::filter_item);
    }
    const bool is_filtered = co_await filter();
    if (!is_filtered) co_return false;
    if (hooks_) {
      const auto verdict = co_await hooks_->change_items(Hook::before_store, extracted_.items);
      if (verdict != HookVerdict::go_on) co_return co_await stop_at(verdict, Stage::dedup);
      if (hooks_->has(Hook::before_store))
        for (Item& item : extracted_.items) job_.plan.keywords.keep(item);
    }
    const ComputingTime time(job_.computed);
    if (job_.plan.has_typed_fields)
      for (Item& item : extracted_.items)
        item.values_json = pages::typed_values_json(job_.plan.job, item);
    co_return true;
  }

  Async<bool> extract() {
    if (hooks_ && hooks_->has(Hook::override_extract)) {
      mark_skipped(trace_, Stage::extract, "override_extract stands for it");
      FetchResponse shown = response_;
      shown.body = extracted_.is_binary ? response_.body : extracted_.body;
      const auto verdict = co_await hooks_->override_extract(shown, extracted_.items);
      extracted_.selector_matches = extracted_.items.size();
      extracted_.text_hash = hash128(shown.body);
      if (verdict == HookVerdict::go_on) co_return true;
      co_return co_await stop_at(verdict, Stage::after_extract);
    }
    StageTimer timer(trace_, Stage::extract);
    const ShownWork shown_work(services_.share, mark_of(job_.plan.job.id));
    const ComputingTime time(job_.computed);
    auto done = pipeline::extract(services_.parser, job_.plan, response_.url, extracted_);
    if (!done) {
      timer.fail(done.error().message);
      std::string_view message = done.error().message;
      if (message.starts_with(kTooComplex)) message.remove_prefix(kTooComplex.size());  // the kind
      co_return fail({.error = {"too_complex", std::string(message), ""}});
    }
    if (extracted_.selector_matches == 0) timer.note("the selector matched nothing");
    co_return true;
  }

  // By the script, or by the keywords; either way the keywords found are noted.
  Async<bool> filter() {
    auto& items = extracted_.items;
    if (hooks_ && hooks_->has(Hook::filter_item)) {
      const auto verdict = co_await hooks_->filter_items(items);
      if (verdict != HookVerdict::go_on) co_return co_await stop_at(verdict, Stage::before_store);
      for (Item& item : items) job_.plan.keywords.keep(item);
      co_return true;
    }
    if (job_.plan.job.keywords.empty()) co_return true;
    StageTimer timer(trace_, Stage::filter_item);
    const ComputingTime time(job_.computed);
    std::erase_if(items, [this](Item& item) { return !job_.plan.keywords.keep(item); });
    co_return true;
  }

  Async<bool> dedup() {
    StageTimer timer(trace_, Stage::dedup);
    auto done = co_await dedup_.run();
    if (done) co_return true;
    timer.fail(done.error().message);
    co_return fail(store_failure(std::move(done).error()));
  }

  Async<bool> shape() {
    if (page_.new_items.empty()) co_return true;
    News news{page_.lease.task.run, page_.final_url, page_.fetched_at, {}};
    for (const KeyedItem& keyed : page_.new_items) news.items.push_back(&keyed.item);
    auto told = co_await announce(job_.plan.job, news, hooks_.get());
    if (told.has_failed) co_return co_await stop_at(HookVerdict::fail, Stage::store);
    page_.deliveries = std::move(told.deliveries);
    co_return true;
  }

  Async<void> store() {
    PageDone done{.items = {.seen = page_.items_seen}, .is_unchanged = page_.unchanged};
    done.is_skipped = page_.outcome == TaskState::skipped;
    if (order_.mode == CycleMode::dry_run) {
      mark_skipped(trace_, Stage::store, "nothing is stored in a debug run");
      done.items.fresh = static_cast<std::int64_t>(page_.new_items.size());
      outcome_ = done;
      co_return;
    }
    if (order_.artefacts != nullptr) order_.artefacts->deliveries = page_.deliveries;
    if (!done.is_skipped) trace_[Stage::store].status = StageStatus::success;
    page_.cost = take_cost(job_);
    page_.trace = trace_;  // what follows is timed for whoever looks on, not for the record
    StageTimer timer(trace_, Stage::store);
    if (order_.on_storing) order_.on_storing();
    auto receipt = co_await commit();
    if (receipt) {
      done.items.fresh = receipt->new_items;
      outcome_ = done;
      if (done.is_skipped) timer.skip();
      co_return;
    }
    timer.fail(receipt.error().message);
    fail(store_failure(std::move(receipt).error()));
  }

  // A body that was kept when we asked may be gone by now: then it is sent along after all.
  Async<Result<CommitReceipt>> commit() {
    const bool relies_on_kept_body = page_.snapshot && page_.snapshot->compressed.empty();
    if (!relies_on_kept_body) {
      if (!hooks_ && order_.artefacts == nullptr) extracted_.body = {};  // nobody looks back at it
      co_return co_await services_.store.commit(std::move(page_));
    }
    PageResult with_body = page_;
    auto receipt = co_await services_.store.commit(std::move(page_));
    if (receipt || receipt.error().code != ErrorCode::not_found) co_return receipt;
    auto compressed = compress(extracted_.body);
    if (!compressed) co_return std::move(compressed).error();
    with_body.snapshot->compressed = std::move(*compressed);
    co_return co_await services_.store.commit(std::move(with_body));
  }

  Async<void> tell_script() {
    const auto* failure = std::get_if<PageFailure>(&outcome_);
    co_await hooks_->finish(failure == nullptr ? nullptr : &failure->error.message);
    hooks_.reset();  // wipes ctx
  }

  void keep_artefacts() {
    Artefacts* kept = order_.artefacts;
    if (kept == nullptr) return;
    kept->response = std::move(response_);
    kept->body = std::move(extracted_.body);
    kept->items = std::move(extracted_.items);
    kept->is_new = dedup_.is_new();
    if (order_.mode == CycleMode::dry_run) kept->deliveries = std::move(page_.deliveries);
  }

  const Services& services_;
  JobState& job_;
  const CycleOrder& order_;
  CycleCount count_;
  Dedup dedup_;                        // its claims are held until the commit is through
  std::unique_ptr<CycleHooks> hooks_;  // null: the job has no script

  PageResult page_;  // handed over by the commit
  CycleTrace trace_;
  std::int64_t bytes_ = 0;
  FetchRequest request_;
  FetchResponse response_;            // its body is in extracted_
  std::optional<PageMemory> memory_;  // what was stored before this fetch
  Extracted extracted_;
  std::variant<PageDone, PageFailure> outcome_;
};

}  // namespace

Async<CycleEnd> run_cycle(const Services& services, JobState& job, const CycleOrder& order) {
  const auto cycle = std::make_unique<Cycle>(services, job, order);
  co_return co_await cycle->run();
}

}  // namespace heddle::pipeline

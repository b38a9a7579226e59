#include "pipeline/cycle.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/run/run_problems.hpp"
#include "pages/outcome/expectations.hpp"
#include "pages/typed_value.hpp"
#include "pipeline/build_deliveries.hpp"
#include "pipeline/cycle_secrets.hpp"
#include "pipeline/dedup.hpp"
#include "pipeline/fetch/page_source.hpp"
#include "pipeline/found_pages.hpp"
#include "pipeline/page_checks.hpp"
#include "pipeline/page_finding.hpp"
#include "pipeline/page_text.hpp"
#include "pipeline/scripts/cycle_hooks.hpp"
#include "pipeline/snapshot.hpp"
#include "pipeline/stage_timer.hpp"

namespace heddle::pipeline {

using script::ScriptHook;

namespace {

constexpr int kNotModified = 304;
constexpr std::string_view kTooComplex = "too_complex: ";

PageFailure store_failure(Error error) {
  return {.error = store_error(std::move(error)), .is_internal = true};
}

PageFailure extraction_failure(Error error) {
  if (error.code == ErrorCode::corrupt)
    return {.error = {ErrorKind::bad_content, std::move(error.message), ""}};
  std::string_view message = error.message;
  if (message.starts_with(kTooComplex)) message.remove_prefix(kTooComplex.size());  // the kind
  return {.error = {ErrorKind::too_complex, std::string(message), ""}};
}

script::CycleFacts facts_of(const Job& job, const CycleSpec& spec, WallTime now) {
  script::CycleFacts facts;
  facts.job_id = job.id.text;
  facts.job_name = job.name;
  facts.vars.assign(job.vars.begin(), job.vars.end());
  facts.run_id = spec.lease.task.run.text;
  facts.worker_id = spec.worker_id;
  facts.attempt = spec.lease.task.attempt;
  facts.start_time = std::chrono::duration<double>(now.time_since_epoch()).count();
  return facts;
}

// Runs the stages in order; each returns false when the cycle ends there, with outcome_ set.
class Cycle {
 public:
  Cycle(const CycleServices& services, JobSession& job, const CycleSpec& spec)
      : services_(services),
        job_(job),
        spec_(spec),
        secrets_(job.plan, spec.lease.task.url),
        count_(services.activity, job.cycles),
        dedup_(services, job, spec, {extracted_, response_, memory_, page_}) {
    page_.lease = spec.lease;
    page_.job = job.plan.job.id;
    page_.lists_newest_only = job.plan.job.watch == WatchKind::feed;
    if (job.plan.follows_items() && !page_.lists_newest_only)
      page_.gone_after = job.plan.job.gone_after;
    if (job.script == nullptr) return;
    trace_.began = monotonic_now();
    const auto facts = facts_of(job.plan.job, spec, services.clock.now());
    hooks_ = std::make_unique<CycleHooks>(*job.script, facts, trace_);
  }

  Async<CycleResult> run() {
    co_await run_stages();
    slow_down_host();
    if (hooks_) co_await run_final_hooks();
    keep_artefacts();
    secrets_.hide_in(trace_);
    co_return CycleResult{std::move(outcome_), std::move(trace_), extracted_.cost, bytes_};
  }

 private:
  Async<void> run_stages() {
    const bool is_fetched = co_await fetch();
    if (!is_fetched) co_return;
    if (!page_.unchanged && !has_expected_text()) co_return;
    if (job_.plan.job.watch == WatchKind::status) {
      mark_skipped(trace_, Stage::extract, "watch = \"status\"");
      mark_skipped(trace_, Stage::dedup, "watch = \"status\"");
    } else if (!page_.unchanged) {
      const bool has_items = co_await read_items();
      if (!has_items) co_return;
      const bool is_deduplicated = co_await dedup();
      if (!is_deduplicated) co_return;
      const bool is_prepared = co_await prepare_deliveries();
      if (!is_prepared) co_return;
    }
    co_await store();
  }

  // A canned response says nothing about its host.
  void slow_down_host() {
    const auto* failure = std::get_if<PageFailure>(&outcome_);
    if (failure == nullptr || spec_.canned != nullptr) return;
    const std::string& url = response_.url.empty() ? request_.url : response_.url;
    slow_down_behind(services_, failure->error.kind, url);
  }

  bool fail(PageFailure failure) {
    failure.error.url = spec_.lease.task.url;
    secrets_.hide_in(failure.error.message);
    outcome_ = std::move(failure);
    return false;
  }

  bool has_expected_text() {
    auto failure = check_text(services_, job_, extracted_);
    if (!failure) return true;
    if (auto wrong = wrong_page_behind(failure->error.message)) return fail(std::move(*wrong));
    return fail(std::move(*failure));
  }

  // Why the page is not what the job expects, if it is one in place of the wanted page.
  std::optional<PageFailure> wrong_page_behind(std::string_view problem) {
    if (class_by_script_ || job_.plan.job.watch == WatchKind::status) return std::nullopt;
    return find_wrong_page(services_, job_, response_, extracted_.body, problem);
  }

  // A hook ended the cycle: it returned nothing or exceeded its budget.
  Async<bool> end_at_hook(HookVerdict verdict, Stage first_skipped) {
    if (verdict == HookVerdict::fail)
      co_return fail({.error = {ErrorKind::script, hooks_->failure(), ""}});
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
    if (const auto& url = secrets_.url(); !url)
      co_return fail({.error = {ErrorKind::unreadable, url.error().message, ""}});
    request_ = request_for(job_, *secrets_.url());
    if (hooks_) {
      const HookVerdict verdict = co_await hooks_->before_fetch(request_);
      if (verdict != HookVerdict::proceed)
        co_return co_await end_at_hook(verdict, Stage::override_fetch);
    }
    auto memory = co_await services_.store.recall_page(page_.job, spec_.lease.task.url);
    if (!memory) co_return fail(store_failure(std::move(memory).error()));
    memory_ = std::move(*memory);
    // Earlier versions stored wrong pages: such a page is read again.
    if (memory_ && is_wrong_page(memory_->finding.kind)) memory_->rules_hash = {};
    PageSource source(services_, job_, spec_, hooks_.get());
    auto result = co_await source.get(request_, memory_, trace_);
    co_return co_await handle_fetch_result(std::move(result));
  }

  Async<bool> handle_fetch_result(FetchPageResult result) {
    const auto* refused = std::get_if<FailedFetch>(&result);
    if (refused != nullptr && is_off_limits(*refused)) co_return co_await skip_off_limits(*refused);
    if (auto* response = std::get_if<FetchResponse>(&result)) {
      record_page(std::move(*response));
      if (page_.unchanged) {
        if (hooks_) co_await expose_unchanged_page();
        co_return true;
      }
      if (!hooks_) co_return true;
    } else if (!hooks_) {
      co_return fail(std::get<FailedFetch>(std::move(result)).failure);
    }
    auto* failure = std::get_if<FailedFetch>(&result);
    if (failure != nullptr && !hooks_->failure().empty()) {
      expose_failed_fetch(*failure);
      co_return fail({.error = {ErrorKind::script, hooks_->failure(), ""}});
    }
    if (hooks_->has(ScriptHook::after_fetch)) co_return co_await after_fetch(failure);
    if (failure == nullptr) {
      shows_response_ = true;
      hooks_->context().set_last_fetch_provider([this] { return fetch_result(); });
      co_return true;
    }
    expose_failed_fetch(*failure);
    co_return fail(std::move(failure->failure));
  }

  // A link that robots.txt forbids to follow is no failure: the user has not asked for that page.
  [[nodiscard]] bool is_off_limits(const FailedFetch& failed) const {
    return failed.failure.error.kind == ErrorKind::robots && !failed.failure.transient &&
           is_discovered(job_.plan, spec_.lease.task);
  }

  Async<bool> skip_off_limits(const FailedFetch& failed) {
    if (hooks_) expose_failed_fetch(failed);
    trace_[Stage::fetch].status = StageStatus::skipped;
    page_.outcome = TaskState::skipped;
    page_.fetched_at = services_.clock.now();
    co_await store();
    co_return false;
  }

  void record_page(FetchResponse response) {
    const CpuTimer time(job_.cpu_used);
    record_response(response);
    response_ = std::move(response);
    if (page_.unchanged) return;
    auto file = items_of_file(job_.plan, spec_.lease.task.url, response_);
    extracted_ = take_body(response_);
    extracted_.items = std::move(file);
  }

  void expose_failed_fetch(const FailedFetch& failure) {
    script::FetchResult shown;
    shown.request = request_;
    shown.error = failure.error;
    shown.response = failure.error.response;
    if (shown.response) decode(*shown.response);
    hooks_->context().set_last_fetch(shown);
  }

  // No hook runs in the stages that follow, but the final ones may read last_fetch.
  Async<void> expose_unchanged_page() {
    script::FetchResult shown;
    shown.request = request_;
    shown.response = response_;
    if (response_.status == kNotModified) {
      PageSource source(services_, job_, spec_, hooks_.get());
      co_await source.use_stored_body(*shown.response, hooks_->mentions_last_fetch());
    }
    decode(*shown.response);
    hooks_->context().set_selector_matches(static_cast<std::size_t>(memory_->item_count));
    hooks_->context().set_last_fetch_provider([shown = std::move(shown)] { return shown; });
  }

  // As scripts see it: the body is the decoded text.
  [[nodiscard]] script::FetchResult fetch_result() const {
    script::FetchResult result;
    result.request = request_;
    result.response = response_;
    if (!extracted_.is_binary) result.response->body = extracted_.body;
    return result;
  }

  void record_response(const FetchResponse& response) {
    page_.fetched_at = services_.clock.now();
    bytes_ = static_cast<std::int64_t>(response.wire_bytes);
    page_.bytes = bytes_;
    page_.memory.rules_hash = job_.plan.rules_hash;
    page_.final_url = secrets_.stored_url(response.url);
    page_.http_status = response.status;
    detect_unchanged(response);
  }

  Async<bool> after_fetch(FailedFetch* failure) {
    script::FetchResult result;
    result.request = request_;
    const bool shows_class = hooks_->mentions_page_class();
    if (failure != nullptr) {
      result.error = failure->error;
      result.response = std::move(failure->error.response);
      if (result.response) decode(*result.response);
      if (shows_class && result.response)
        result.page_class = class_of(*result.response, result.response->body);
    } else {
      if (shows_class) result.page_class = class_of(response_, extracted_.body);
      if (!extracted_.is_binary) response_.body = std::move(extracted_.body);
      result.response = std::move(response_);
    }
    const std::optional<std::string> class_before = result.page_class;
    const HookVerdict verdict = co_await hooks_->after_fetch(result);
    // A failed fetch stays failed unless the script supplied a response.
    if (verdict != HookVerdict::fail && result.error) co_return fail(std::move(failure->failure));
    if (result.response) adopt_response(std::move(*result.response), failure != nullptr);
    if (verdict != HookVerdict::proceed)
      co_return co_await end_at_hook(verdict, Stage::override_extract);
    if (result.page_class == class_before) co_return true;
    class_by_script_ =
        pages::page_class_named(result.page_class.value_or("")).value_or(pages::PageClass::generic);
    RunError wrong = pages::wrong_page_error(*class_by_script_, "after_fetch set result.class");
    if (wrong.kind == ErrorKind::none) co_return true;
    co_return fail(wrong_page_failure(std::move(wrong)));
  }

  [[nodiscard]] std::optional<std::string> class_of(const FetchResponse& response,
                                                    std::string_view body) {
    const auto page = classify_body(services_, job_, response, body);
    if (!page) return std::nullopt;
    return std::string(to_text(page->page_class));
  }

  static void decode(FetchResponse& response) {
    Extracted page = take_body(response);
    if (!page.is_binary) response.body = std::move(page.body);
  }

  void adopt_response(FetchResponse response, bool is_supplied) {
    response_ = std::move(response);
    if (response_.url.empty()) response_.url = request_.url;
    if (is_supplied) record_response(response_);
    if (is_supplied) extracted_.items = items_of_file(job_.plan, spec_.lease.task.url, response_);
    if (!extracted_.is_binary) extracted_.body = std::move(response_.body);
  }

  // With the present extraction rules.
  [[nodiscard]] bool was_read_before() const {
    return memory_ && memory_->rules_hash == job_.plan.rules_hash;
  }

  // What is found in the first reading of a page, and in the first with other fields, is known.
  [[nodiscard]] bool makes_baseline() const {
    if (job_.plan.job.first_run != FirstRun::baseline) return false;
    // A page that is found later than the page that links to it is news.
    const Task& task = spec_.lease.task;
    if (!memory_) return task.is_baseline || !is_discovered(job_.plan, task);
    // A page stored by a version that did not keep this hash.
    if (memory_->fields_hash == Hash128{}) return !was_read_before();
    return memory_->fields_hash != job_.plan.fields_hash;
  }

  // The same bytes and extraction rules as last time give the same items. Scripts that read pages
  // still see the page.
  void detect_unchanged(const FetchResponse& response) {
    std::string& note = trace_[Stage::fetch].note;
    if (response.status == kNotModified) {
      note = "not modified (304)";
    } else {
      page_.memory.body_hash = hash128(response.body);
      if (!was_read_before() || memory_->body_hash != page_.memory.body_hash) return;
      note = "same body as last time";
    }
    if (spec_.mode != CycleMode::store || (hooks_ && hooks_->reads_pages())) return;
    if (finds_pages(job_.plan, spec_.lease.task)) return;
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
      const auto verdict =
          co_await hooks_->change_items(ScriptHook::after_extract, extracted_.items);
      if (verdict != HookVerdict::proceed)
        co_return co_await end_at_hook(verdict, Stage::filter_item);
    }
    if (auto failure = check_item_count(job_.plan.job, extracted_.items.size()))
      co_return fail(std::move(*failure));
    const bool is_filtered = co_await filter();
    if (!is_filtered) co_return false;
    if (hooks_) {
      const auto verdict =
          co_await hooks_->change_items(ScriptHook::before_store, extracted_.items);
      if (verdict != HookVerdict::proceed) co_return co_await end_at_hook(verdict, Stage::dedup);
      if (hooks_->has(ScriptHook::before_store))
        for (Item& item : extracted_.items) job_.plan.keywords.keep(item);
    }
    const CpuTimer time(job_.cpu_used);
    if (job_.plan.has_typed_fields)
      for (Item& item : extracted_.items)
        item.values_json = pages::typed_values_json(job_.plan.job, item);
    find_pages();
    hide_secrets_of_page();
    co_return true;
  }

  void find_pages() {
    const Task& task = spec_.lease.task;
    if (!finds_pages(job_.plan, task)) return;
    if (!extracted_.links) extract_links(services_.parser, job_.plan, response_, extracted_);
    page_.found = found_pages(job_.plan, {task, request_.url, response_, extracted_, !memory_});
  }

  // Before items and page are compared with what is stored: they stay the same ones when a secret
  // gets a new value.
  void hide_secrets_of_page() {
    for (Item& item : extracted_.items) secrets_.hide_in(item);
    if (!secrets_.occur_in(extracted_)) return;
    if (shows_response_)  // scripts see the page as it came
      hooks_->context().set_last_fetch_provider([shown = fetch_result()] { return shown; });
    secrets_.hide_in(extracted_);
  }

  Async<bool> extract() {
    if (hooks_ && hooks_->has(ScriptHook::override_extract)) {
      mark_skipped(trace_, Stage::extract, "replaced by override_extract");
      FetchResponse shown = response_;
      shown.body = extracted_.is_binary ? response_.body : extracted_.body;
      const auto verdict = co_await hooks_->override_extract(shown, extracted_.items);
      extracted_.selector_matches = extracted_.items.size();
      job_.plan.page_secrets.apply(shown.body);
      extracted_.text_hash = hash128(shown.body);
      if (verdict == HookVerdict::proceed) co_return true;
      co_return co_await end_at_hook(verdict, Stage::after_extract);
    }
    StageTimer timer(trace_, Stage::extract);
    const CurrentJobScope scope(services_.activity, mark_of(job_.plan.job.id));
    const CpuTimer time(job_.cpu_used);
    auto done =
        pipeline::extract(services_.parser, job_.plan, spec_.lease.task.url, response_, extracted_);
    if (!done) {
      timer.fail(done.error().message);
      const bool is_other_body = done.error().code == ErrorCode::corrupt;
      if (auto wrong = is_other_body ? wrong_page_behind(done.error().message) : std::nullopt)
        co_return fail(std::move(*wrong));
      co_return fail(extraction_failure(std::move(done).error()));
    }
    if (class_by_script_) extracted_.classified.page_class = *class_by_script_;
    if (!extracted_.note.empty()) timer.note(extracted_.note);
    if (extracted_.selector_matches == 0) timer.note("the selector matched nothing");
    note_finding(job_.plan, response_, extracted_, was_read_before() ? &*memory_ : nullptr,
                 page_.memory);
    const bool may_be_empty =
        has_mixed_pages(job_.plan.job) && is_discovered(job_.plan, spec_.lease.task);
    if (may_be_empty && page_.memory.finding.kind == ErrorKind::nothing_found)
      page_.memory.finding = {};
    secrets_.hide_in(page_.memory.finding.message);
    RunError& finding = page_.memory.finding;
    if (!is_wrong_page(finding.kind)) co_return true;
    timer.fail(finding.message);
    co_return fail(wrong_page_failure(std::move(finding)));
  }

  Async<bool> filter() {
    const HookVerdict verdict = co_await filter_items();
    if (verdict == HookVerdict::proceed) co_return true;
    co_return co_await end_at_hook(verdict, Stage::before_store);
  }

  // Filters by the script or by keywords; matching keywords are recorded in both cases.
  Async<HookVerdict> filter_items() {
    auto& items = extracted_.items;
    StageTimer whole(trace_, EngineStage::filter);
    if (hooks_ && hooks_->has(ScriptHook::filter_item)) {
      for (Item& item : items) job_.plan.keywords.keep(item);  // the hook sees the matches
      const auto verdict = co_await hooks_->filter_items(items, held_back_);
      const StageTrace& hook = trace_[Stage::filter_item];
      if (hook.status == StageStatus::error) whole.fail(hook.note);
      if (verdict != HookVerdict::proceed) co_return verdict;
      if (!held_back_.empty()) fail_after_storing();
      for (Item& item : items) job_.plan.keywords.keep(item);
      co_return verdict;
    }
    if (job_.plan.job.keywords.empty()) co_return HookVerdict::proceed;
    StageTimer timer(trace_, Stage::filter_item);
    const CpuTimer time(job_.cpu_used);
    std::erase_if(items, [this](Item& item) { return !job_.plan.keywords.keep(item); });
    co_return HookVerdict::proceed;
  }

  // The items that are held back are not stored, so the page must be read again.
  void fail_after_storing() {
    page_.outcome = TaskState::dead;
    page_.problem = {ErrorKind::script, hooks_->first_error(), spec_.lease.task.url};
    page_.problem.message += fmt::format("; {} not stored until the script is fixed",
                                         held_back_.size() == 1 ? "the item is" : "the items are");
    secrets_.hide_in(page_.problem.message);
  }

  // Items that were stored before their filter failed have not left the page.
  Async<Status> keep_held_back_on_page() {
    store::KnownQuery query;
    query.job = page_.job;
    for (Item& item : held_back_) {
      secrets_.hide_in(item);
      query.keys.push_back(job_.plan.key_of(item));
      if (job_.plan.follows_items()) query.keys.push_back(job_.plan.own_key_of(item));
    }
    const std::vector<Hash128> keys = query.keys;
    auto known = co_await services_.store.find_known(std::move(query));
    if (!known) co_return std::move(known).error();
    for (std::size_t i = 0; i < keys.size(); ++i)
      if (known->keys[i] && std::ranges::count(page_.keys, keys[i]) == 0)
        page_.keys.push_back(keys[i]);
    co_return Done{};
  }

  Async<bool> dedup() {
    StageTimer timer(trace_, Stage::dedup);
    auto done = co_await dedup_.run();
    if (done && extracted_.text) co_await finish_comparison(timer);
    if (done && !held_back_.empty()) done = co_await keep_held_back_on_page();
    if (done) co_return true;
    timer.fail(done.error().message);
    co_return fail(store_failure(std::move(done).error()));
  }

  Async<void> finish_comparison(StageTimer& timer) {
    const TextConfirmation confirmation{services_, job_, spec_, hooks_.get()};
    auto reason = co_await confirmation.rejection_reason(request_, extracted_);
    if (!reason.empty()) {
      dedup_.forget_changes();
      extracted_.comparison_note = std::move(reason);
    }
    page_.text_changes = extracted_.text_changes;
    if (!extracted_.comparison_note.empty()) timer.note(extracted_.comparison_note);
  }

  Async<bool> prepare_deliveries() {
    News news{page_.lease.task.run, page_.final_url, page_.fetched_at, {}};
    news.changes = changes_told(job_.plan, page_.updates);
    std::ranges::move(text_changes_told(job_.plan, extracted_), std::back_inserter(news.changes));
    const bool is_baseline = makes_baseline() && !page_.new_items.empty();
    if (!is_baseline)
      for (const KeyedItem& keyed : page_.new_items) news.items.push_back(&keyed.item);
    if (news.items.empty() && news.changes.empty()) {
      if (!is_baseline) co_return true;
      mark_skipped(trace_, Stage::before_notify, "first version of the page: the baseline");
      trace_[EngineStage::webhook].status = StageStatus::skipped;
      co_return true;
    }
    if (hooks_) hooks_->context().set_changes(news.changes);
    auto built = co_await build_deliveries(job_.plan.job, news, hooks_.get());
    if (built.has_failed) co_return co_await end_at_hook(HookVerdict::fail, Stage::store);
    page_.deliveries = std::move(built.deliveries);
    co_return true;
  }

  Async<void> store() {
    PageDone done{.items = {.seen = page_.items_seen}, .is_unchanged = page_.unchanged};
    done.is_skipped = page_.outcome == TaskState::skipped;
    note_script_error();
    show_finding();
    const auto failure = page_.outcome == TaskState::dead ? page_.problem : RunError{};
    if (spec_.mode == CycleMode::dry_run) {
      mark_skipped(trace_, Stage::store, "nothing is stored in a debug run");
      done.items.fresh = static_cast<std::int64_t>(page_.new_items.size());
      done.items.changed = static_cast<std::int64_t>(std::ranges::count_if(
          page_.updates,
          [](const ItemUpdate& update) { return update.is_back || !update.changes.empty(); }));
      finish(std::move(done), failure);
      co_return;
    }
    secrets_.hide_in(page_);
    if (spec_.artefacts != nullptr) spec_.artefacts->deliveries = page_.deliveries;
    if (!done.is_skipped) trace_[Stage::store].status = StageStatus::success;
    page_.cost = take_cost(job_);
    page_.trace = trace_;  // what follows is timed for debug output, not stored
    secrets_.hide_in(page_.trace);
    StageTimer timer(trace_, Stage::store);
    if (spec_.on_commit) spec_.on_commit();
    auto receipt = co_await commit();
    if (receipt) {
      done.items.fresh = receipt->new_items;
      done.items.changed = receipt->changed_items;
      done.found_pages = receipt->found_pages;
      if (done.is_skipped) timer.skip();
      finish(std::move(done), failure);
      co_return;
    }
    timer.fail(receipt.error().message);
    fail(store_failure(std::move(receipt).error()));
  }

  // An error that a hook raised is shown with the run, though the cycle continues after it.
  void note_script_error() {
    if (!hooks_ || hooks_->first_error().empty() || page_.outcome == TaskState::dead) return;
    page_.problem = {ErrorKind::script, hooks_->first_error(), spec_.lease.task.url};
    secrets_.hide_in(page_.problem.message);
  }

  // What is wrong with a page is shown with every run, also when the page has not changed since. A
  // warning is worth more than a notice, but less than a doubt whether the page is the right one.
  void show_finding() {
    if (page_.problem.kind != ErrorKind::none || page_.outcome != TaskState::done) return;
    page_.problem = page_.memory.finding;
    RunError warning = pages::judge_service(job_.plan.job.expect, response_, services_.clock.now());
    const bool is_doubtful = std::ranges::count(kSuspiciousKinds, page_.memory.finding.kind) > 0;
    if (warning.kind != ErrorKind::none && !is_doubtful) page_.problem = std::move(warning);
    page_.problem.url = spec_.lease.task.url;
  }

  void finish(PageDone done, const RunError& failure) {
    if (failure.kind != ErrorKind::none) {
      outcome_ = PageFailure{.error = failure, .stored = done.items};
      return;
    }
    outcome_ = std::move(done);
  }

  // A body that the store had at dedup may have been pruned since: then send it as well.
  Async<Result<CommitReceipt>> commit() {
    const bool relies_on_stored_body = page_.snapshot && page_.snapshot->compressed.empty();
    if (!relies_on_stored_body) {
      if (!hooks_ && spec_.artefacts == nullptr) extracted_.body = {};  // no longer needed
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

  Async<void> run_final_hooks() {
    const auto* failure = std::get_if<PageFailure>(&outcome_);
    co_await hooks_->finish(failure == nullptr ? nullptr : &failure->error.message);
    hooks_.reset();  // clears ctx
  }

  void keep_artefacts() {
    Artefacts* kept = spec_.artefacts;
    if (kept == nullptr) return;
    kept->response = std::move(response_);
    kept->body = std::move(extracted_.body);
    kept->items = std::move(extracted_.items);
    kept->is_new = dedup_.is_new();
    if (extracted_.text) kept->text = std::move(extracted_.text->text);
    kept->text_changes = std::move(extracted_.text_changes);
    if (spec_.mode == CycleMode::dry_run) kept->deliveries = std::move(page_.deliveries);
  }

  const CycleServices& services_;
  JobSession& job_;
  const CycleSpec& spec_;
  CycleSecrets secrets_;
  ActiveCycleScope count_;
  Dedup dedup_;                        // holds its claims until the commit is done
  std::unique_ptr<CycleHooks> hooks_;  // null: the job has no script

  PageResult page_;  // moved into the commit
  CycleTrace trace_;
  std::int64_t bytes_ = 0;
  FetchRequest request_;
  FetchResponse response_;            // its body is in extracted_
  std::optional<PageMemory> memory_;  // what was stored before this fetch
  Extracted extracted_;
  std::vector<Item> held_back_;                      // filter_item raised an error for them
  bool shows_response_ = false;                      // to scripts, as last_fetch
  std::optional<pages::PageClass> class_by_script_;  // after_fetch has overruled the engine
  std::variant<PageDone, PageFailure> outcome_;
};

}  // namespace

Async<CycleResult> run_cycle(const CycleServices& services, JobSession& job,
                             const CycleSpec& spec) {
  const auto cycle = std::make_unique<Cycle>(services, job, spec);
  co_return co_await cycle->run();
}

}  // namespace heddle::pipeline

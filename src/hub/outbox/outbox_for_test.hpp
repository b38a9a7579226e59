// An outbox in memory, a scripted receiver, and the fixture of the sender's tests.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <gtest/gtest.h>

#include "base/wake_signal.hpp"
#include "hub/outbox/outbox_sender.hpp"
#include "tests/support/run_async.hpp"

namespace heddle::hub {

// The outbox of a store in memory; every other method fails.
class OutboxInMemory final : public store::Store {
 public:
  struct Row {
    Delivery delivery;
    std::string state = "waiting";
    std::string error;
  };
  std::map<std::string, Row> rows;
  bool can_write = true;
  std::size_t most_read_at_once = 0;
  int answer_delay = 0;  // in loop iterations

  Async<Result<std::vector<Delivery>>> due_deliveries(WallTime now, std::size_t max) override {
    std::vector<Delivery> due;
    for (const auto& [id, row] : rows)
      if (row.state == "waiting" && row.delivery.due_at <= now && due.size() < max)
        due.push_back(row.delivery);
    most_read_at_once = std::max(most_read_at_once, due.size());
    // The answer of a real store is outdated when it arrives.
    for (int i = 0; i < answer_delay; ++i)
      co_await boost::asio::post(co_await boost::asio::this_coro::executor,
                                 boost::asio::use_awaitable);
    co_return due;
  }
  Async<Status> delivered(DeliveryId id, WallTime) override { co_return write(id, "sent", ""); }
  Async<Status> postpone_delivery(DeliveryId id, store::DeliveryWait wait,
                                  std::string error) override {
    if (!can_write) co_return refusal();
    Row& row = rows.at(id.text);
    row.delivery.due_at = wait.from + wait.time;
    row.delivery.waited += wait.time;
    ++row.delivery.attempts;
    row.error = std::move(error);
    co_return Done{};
  }
  Async<Status> dead_letter_delivery(DeliveryId id, WallTime, std::string error) override {
    co_return write(id, "dead", std::move(error));
  }

  Async<Status> shift_waits(std::chrono::milliseconds by) override {
    if (!can_write) co_return refusal();
    for (auto& [id, row] : rows) row.delivery.due_at += by;
    co_return Done{};
  }

  Async<Status> restart_waits_after(WallTime) override { co_return not_here(); }
  Async<Status> put_job_name(store::JobName) override { co_return not_here(); }
  Async<Status> change_job(JobChange) override { co_return not_here(); }
  Async<Result<std::vector<JobStatus>>> job_statuses() override { co_return not_here(); }
  Async<Status> begin_deletion(JobId, WallTime) override { co_return not_here(); }
  Async<Status> mark_run(RunId, RunState) override { co_return not_here(); }
  Async<Status> begin_run(Run, std::vector<std::string>) override { co_return not_here(); }
  Async<Result<std::int64_t>> begin_run_of_dead_letters(Run, std::vector<DeadLetterId>) override {
    co_return not_here();
  }
  Async<Status> resend_dead_letters(std::vector<DeadLetterId>, WallTime) override {
    co_return not_here();
  }
  Async<Result<std::int64_t>> purge_dead_letters(std::vector<DeadLetterId>, WallTime) override {
    co_return not_here();
  }
  Async<Result<TaskBatch>> lease_tasks(RunId, std::size_t, WallTime) override {
    co_return not_here();
  }
  Async<Result<CommitReceipt>> commit(PageResult) override { co_return not_here(); }
  Async<Status> postpone(TaskRetry) override { co_return not_here(); }
  Async<Status> dead_letter(TaskDeath) override { co_return not_here(); }
  Async<Status> charge(RunId, PageCost) override { co_return not_here(); }
  Async<Status> release_leases(RunId) override { co_return not_here(); }
  Async<Result<Run>> end_run(RunId, RunState, std::vector<RunError>, WallTime) override {
    co_return not_here();
  }
  Async<Result<std::vector<Run>>> unfinished_runs() override { co_return not_here(); }
  Async<Result<std::optional<Run>>> find_run(RunId) override { co_return not_here(); }
  Async<Result<store::JobUsage>> usage_since(JobId, WallTime) override { co_return not_here(); }
  Async<Result<std::vector<RunFigures>>> recent_runs(JobId, std::size_t) override {
    co_return not_here();
  }
  Async<Result<store::OutboxCounts>> outbox_counts(JobId) override { co_return not_here(); }
  Async<Result<store::SystemLoad>> system_load(WallTime) override { co_return not_here(); }
  Async<Status> change_alert(AlertChange) override { co_return not_here(); }
  Async<Result<std::vector<SystemAlert>>> alerts() override { co_return not_here(); }
  Async<Result<std::optional<PageMemory>>> recall_page(JobId, std::string) override {
    co_return not_here();
  }
  Async<Result<std::optional<std::string>>> newest_body(JobId, std::string) override {
    co_return not_here();
  }
  Async<Result<store::KnownAnswer>> find_known(store::KnownQuery) override { co_return not_here(); }

 private:
  static Error not_here() { return {ErrorCode::bug, "only the outbox is here"}; }
  static Error refusal() { return {ErrorCode::unavailable, "disk full"}; }

  Status write(const DeliveryId& id, const std::string& state, std::string error) {
    if (!can_write) return refusal();
    Row& row = rows.at(id.text);
    row.state = state;
    row.error = std::move(error);
    return Done{};
  }
};

// A receiver that is down for its first requests.
class Receiver final : public notify::HttpPoster {
 public:
  int down_for = 0;
  int status_when_down = 503;
  int requests = 0;
  std::string hangs;     // the host that does not answer
  WakeSignal unblock;    // lets it answer
  std::size_t hung = 0;  // requests to it
  std::function<void()> before_answer;
  std::optional<std::string> retry_after;
  std::vector<std::string> order;
  std::multiset<std::string> received;
  std::set<std::string> tried;
  std::size_t open_now = 0;
  std::size_t most_open = 0;

  Async<notify::PostOutcome> post(FetchRequest request) override {
    const std::string id = *find_header(request.headers, "webhook-id");
    EXPECT_EQ(*find_header(request.headers, "Idempotency-Key"), id);
    tried.insert(id);
    order.push_back(id);
    if (!hangs.empty() && request.url.find(hangs) != std::string::npos) {
      ++hung;
      co_await unblock.wait();
    }
    most_open = std::max(most_open, ++open_now);
    co_await boost::asio::post(co_await boost::asio::this_coro::executor,
                               boost::asio::use_awaitable);
    --open_now;
    if (before_answer) before_answer();
    FetchResponse response;
    if (retry_after) response.headers.push_back({"Retry-After", *retry_after});
    response.status = ++requests <= down_for ? status_when_down : 200;
    if (response.status == 200) received.insert(id);
    co_return response;
  }
};

class Outbox : public ::testing::Test {
 protected:
  Outbox() {
    job_.id = {"shop"};
    job_.webhook.enabled = true;
    job_.webhook.url = "https://receiver.example/hook";
  }

  void put(const std::string& id, DeliveryKind kind = DeliveryKind::webhook) {
    Delivery delivery;
    delivery.id = {id};
    delivery.job = {"shop"};
    delivery.kind = kind;
    delivery.payload = kind == DeliveryKind::webhook ? "{}" : R"({"title":"t","body":"b"})";
    delivery.created_at = clock_.now();
    delivery.due_at = clock_.now();
    store_.rows[id].delivery = delivery;
  }

  OutboxSenderParts parts() {
    return {store_, sender_, clock_, log_, [this](const JobId& id) -> const Job* {
              if (const auto other = others_.find(id); other != others_.end())
                return &other->second;
              return is_configured_ && id == job_.id ? &job_ : nullptr;
            }};
  }

  // A message of another job with its own receiver.
  void put_other(const std::string& id, const std::string& host) {
    put(id);
    store_.rows[id].delivery.job = {host};
    Job& other = others_[JobId{host}];
    other.id = {host};
    other.webhook.enabled = true;
    other.webhook.url = "https://" + host + "/hook";
  }

  Result<OutboxReport> pass() {
    OutboxSender outbox(parts());
    return testing::run_async(outbox.send_due());
  }

  std::size_t count(const std::string& state) {
    return static_cast<std::size_t>(
        std::count_if(store_.rows.begin(), store_.rows.end(),
                      [&](const auto& row) { return row.second.state == state; }));
  }

  // Runs a pass at each due time until nothing waits.
  void run_until_empty() {
    while (count("waiting") > 0) {
      WallTime next = WallTime::max();
      for (const auto& [id, row] : store_.rows)
        if (row.state == "waiting") next = std::min(next, row.delivery.due_at);
      if (next > clock_.now()) clock_.advance(next - clock_.now());
      ASSERT_TRUE(pass());
    }
  }

  const WallTime start_{std::chrono::hours(100'000)};
  ManualClock clock_{start_};
  NoLog log_;
  OutboxInMemory store_;
  Receiver receiver_;
  notify::Desktop desktop_{{}, log_};
  notify::Sender sender_{receiver_, desktop_, clock_};
  Job job_;
  std::map<JobId, Job> others_;
  bool is_configured_ = true;
};

}  // namespace heddle::hub

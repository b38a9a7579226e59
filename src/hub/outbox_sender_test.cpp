#include "hub/outbox_sender.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <gtest/gtest.h>

#include "base/doorbell.hpp"
#include "hub/delivery_schedule.hpp"
#include "tests/support/run_async.hpp"

namespace heddle::hub {
namespace {

using namespace std::chrono_literals;

// The outbox of a store in memory; everything else of a store is not asked for here.
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
  int answer_delay = 0;  // in turns of the loop

  Async<Result<std::vector<Delivery>>> due_deliveries(WallTime now, std::size_t max) override {
    std::vector<Delivery> due;
    for (const auto& [id, row] : rows)
      if (row.state == "waiting" && row.delivery.due_at <= now && due.size() < max)
        due.push_back(row.delivery);
    most_read_at_once = std::max(most_read_at_once, due.size());
    // The answer of a real store is already old when it arrives.
    for (int i = 0; i < answer_delay; ++i)
      co_await boost::asio::post(co_await boost::asio::this_coro::executor,
                                 boost::asio::use_awaitable);
    co_return due;
  }
  Async<Status> delivered(DeliveryId id, WallTime) override { co_return write(id, "sent", ""); }
  Async<Status> postpone_delivery(DeliveryId id, WallTime due_at, std::string error) override {
    if (!can_write) co_return refusal();
    Row& row = rows.at(id.text);
    row.delivery.due_at = due_at;
    ++row.delivery.attempts;
    row.error = std::move(error);
    co_return Done{};
  }
  Async<Status> bury_delivery(DeliveryId id, WallTime, std::string error) override {
    co_return write(id, "dead", std::move(error));
  }

  Async<Status> remember_job(store::JobName) override { co_return not_here(); }
  Async<Status> change_job(JobChange) override { co_return not_here(); }
  Async<Result<std::vector<JobLife>>> job_lives() override { co_return not_here(); }
  Async<Status> begin_deletion(JobId, WallTime) override { co_return not_here(); }
  Async<Status> mark_run(RunId, RunState) override { co_return not_here(); }
  Async<Status> begin_run(Run, std::vector<std::string>) override { co_return not_here(); }
  Async<Result<std::int64_t>> begin_run_of_letters(Run, std::vector<LetterId>) override {
    co_return not_here();
  }
  Async<Status> resend_letters(std::vector<LetterId>, WallTime) override { co_return not_here(); }
  Async<Result<std::int64_t>> purge_letters(std::vector<LetterId>, WallTime) override {
    co_return not_here();
  }
  Async<Result<TaskBatch>> lease_tasks(RunId, std::size_t, WallTime) override {
    co_return not_here();
  }
  Async<Result<CommitReceipt>> commit(PageResult) override { co_return not_here(); }
  Async<Status> postpone(TaskRetry) override { co_return not_here(); }
  Async<Status> bury(TaskDeath) override { co_return not_here(); }
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
  Async<Result<store::SystemLoad>> system_load(WallTime) override { co_return not_here(); }
  Async<Status> change_alert(AlertChange) override { co_return not_here(); }
  Async<Result<std::vector<SystemAlert>>> alerts() override { co_return not_here(); }
  Async<Result<std::optional<PageMemory>>> recall_page(JobId, std::string) override {
    co_return not_here();
  }
  Async<Result<std::optional<std::string>>> newest_body(JobId, std::string) override {
    co_return not_here();
  }
  Async<Result<store::KnownAnswer>> what_is_known(store::KnownQuery) override {
    co_return not_here();
  }

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
  Doorbell let_go;       // it answers after all
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
      co_await let_go.wait();
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

  // A message of another job, to a receiver of its own.
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

  // Passes at the times the store knows until nothing waits any more.
  void run_until_empty() {
    while (count("waiting") > 0) {
      WallTime next = WallTime::max();
      for (const auto& [id, row] : store_.rows)
        if (row.state == "waiting") next = std::min(next, row.delivery.due_at);
      if (next > clock_.now()) clock_.advance(next - clock_.now());
      ASSERT_TRUE(pass());
    }
  }

  const WallTime start_{100'000h};
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

TEST_F(Outbox, SendsEverythingThatIsDueInOnePass) {
  for (int i = 0; i < 200; ++i) put("id" + std::to_string(i));
  put("desktop", DeliveryKind::desktop);

  const auto report = pass();

  ASSERT_TRUE(report);
  EXPECT_EQ(report->sent, 201U);
  EXPECT_EQ(report->waiting + report->dead, 0U);
  EXPECT_EQ(count("sent"), 201U);
  EXPECT_EQ(receiver_.received.size(), 200U);
}

TEST_F(Outbox, SendsAFewAtATime) {
  for (int i = 0; i < 100; ++i) put("id" + std::to_string(i));
  ASSERT_TRUE(pass());

  EXPECT_EQ(receiver_.most_open, OutboxSender::kPerReceiver);
}

TEST_F(Outbox, GoesPastAReceiverThatHangs) {
  for (int i = 0; i < 30; ++i) put("a" + std::to_string(i));
  for (int i = 0; i < 500; ++i) put("b" + std::to_string(i));
  put_other("z", "healthy.example");
  receiver_.hangs = "receiver.example";
  OutboxSender outbox(parts());
  boost::asio::io_context loop;
  bool is_over = false;
  const auto all = [&]() -> Async<void> {
    const auto report = co_await outbox.send_due();
    EXPECT_TRUE(report);
    is_over = true;
  };
  boost::asio::co_spawn(loop, all(), boost::asio::detached);
  loop.poll();
  EXPECT_EQ(receiver_.hung, OutboxSender::kPerReceiver);
  EXPECT_EQ(receiver_.received, std::multiset<std::string>{"z"});
  EXPECT_FALSE(is_over);

  receiver_.hangs.clear();
  receiver_.let_go.ring();
  loop.run();
  EXPECT_TRUE(is_over);
  EXPECT_EQ(receiver_.received.size(), 531U);
  EXPECT_EQ(receiver_.order.size(), 531U) << "each once";
}

TEST_F(Outbox, BeginsWithNewMessagesWhileOlderOnesHang) {
  for (int i = 0; i < 30; ++i) put("a" + std::to_string(i));
  receiver_.hangs = "receiver.example";
  OutboxSender outbox(parts());
  boost::asio::io_context loop;
  int begun = 0;
  const auto begin = [&]() -> Async<void> {
    const auto done = co_await outbox.begin_due();
    EXPECT_TRUE(done);
    ++begun;
  };
  boost::asio::co_spawn(loop, begin(), boost::asio::detached);
  loop.poll();
  put_other("z", "healthy.example");
  boost::asio::co_spawn(loop, begin(), boost::asio::detached);
  loop.poll();
  EXPECT_EQ(begun, 2) << "it waits for nobody";
  EXPECT_EQ(receiver_.received, std::multiset<std::string>{"z"});

  receiver_.let_go.ring_for_good();
  loop.run();
  EXPECT_EQ(receiver_.order.size(), 31U) << "each once";
}

TEST_F(Outbox, WaitsForTheMessagesOfOneJobOnly) {
  put("a");
  put_other("z", "healthy.example");
  receiver_.hangs = "receiver.example";
  OutboxSender outbox(parts());
  boost::asio::io_context loop;
  bool is_over = false;
  const auto one = [&]() -> Async<void> {
    std::optional<JobId> of(JobId{"healthy.example"});
    const auto report = co_await outbox.send_due(std::move(of));
    EXPECT_TRUE(report);
    is_over = true;
  };
  boost::asio::co_spawn(loop, one(), boost::asio::detached);
  loop.poll();
  EXPECT_TRUE(is_over);
  EXPECT_EQ(receiver_.hung, 1U);
  receiver_.let_go.ring_for_good();
  loop.run();
}

TEST_F(Outbox, KeepsTheOrderOfAReceiversMessages) {
  std::vector<std::string> expected;
  for (int i = 100; i < 300; ++i) expected.push_back("id" + std::to_string(i));
  for (const std::string& id : expected) put(id);
  ASSERT_TRUE(pass());
  EXPECT_EQ(receiver_.order, expected);
}

TEST_F(Outbox, CountsTheTimeToTheNextAttemptFromTheAnswer) {
  put("a");
  receiver_.down_for = 1;
  receiver_.before_answer = [this] { clock_.advance(25s); };
  ASSERT_TRUE(pass());
  EXPECT_EQ(store_.rows["a"].delivery.due_at, start_ + 26s);
}

TEST_F(Outbox, CountsRetryAfterFromTheAnswer) {
  put("a");
  receiver_.down_for = 1;
  receiver_.retry_after = "120";
  receiver_.before_answer = [this] { clock_.advance(25s); };
  ASSERT_TRUE(pass());
  EXPECT_EQ(store_.rows["a"].delivery.due_at, start_ + 145s);
}

TEST_F(Outbox, SendsEachMessageOnceThoughPassesOverlap) {
  std::multiset<std::string> all;
  for (int i = 0; i < 150; ++i) all.insert("id" + std::to_string(i));
  for (const std::string& id : all) put(id);
  OutboxSender outbox(parts());
  boost::asio::io_context loop;
  std::size_t sent = 0;
  const auto one_pass = [&](int delay) -> Async<void> {
    store_.answer_delay = delay;
    const auto report = co_await outbox.send_due();
    EXPECT_TRUE(report);
    if (report) sent += report->sent;
    EXPECT_EQ(count("waiting"), 0U);  // each waits for what the other has in hand
  };
  for (const int delay : {0, 40, 3, 90, 1})
    boost::asio::co_spawn(loop, one_pass(delay), boost::asio::detached);
  loop.run();
  EXPECT_EQ(receiver_.received, all);
  EXPECT_EQ(sent, 150U);
}

TEST_F(Outbox, TakesUpAgainWhatAPassCouldNotWriteDown) {
  put("a");
  OutboxSender outbox(parts());
  store_.can_write = false;
  EXPECT_FALSE(testing::run_async(outbox.send_due()));
  store_.can_write = true;
  EXPECT_EQ(testing::run_async(outbox.send_due())->sent, 1U);
}

TEST_F(Outbox, SendsToChannelsOfTheProjectWhatBelongsToNoJob) {
  ChannelRule channel;
  channel.kind = DeliveryKind::webhook;
  channel.webhook.url = "https://example.com/ops";
  OutboxSenderParts with_channel = parts();
  with_channel.find_channel = [&channel](const std::string& name) {
    return name == "ops" ? &channel : nullptr;
  };
  OutboxSender outbox(std::move(with_channel));
  put("a");
  store_.rows["a"].delivery.channel = "ops";
  put("b");
  store_.rows["b"].delivery.channel = "gone";
  const auto report = testing::run_async(outbox.send_due());
  ASSERT_TRUE(report);
  EXPECT_EQ(report->sent, 1U);
  EXPECT_EQ(report->waiting, 1U);
  EXPECT_EQ(report->errors,
            std::vector<std::string>{"channel gone: the channel is not configured any more"});
}

TEST_F(Outbox, LeavesAloneWhatIsNotDueYet) {
  put("later");
  store_.rows["later"].delivery.due_at = clock_.now() + 1ms;

  EXPECT_EQ(pass()->sent, 0U);
  EXPECT_EQ(receiver_.requests, 0);
}

TEST_F(Outbox, TriesEachMessageOnceAPassAndPostponesWhatFails) {
  receiver_.down_for = 1000;
  put("a");
  put("b");

  const auto report = pass();

  ASSERT_TRUE(report);
  EXPECT_EQ(report->waiting, 2U);
  EXPECT_EQ(receiver_.requests, 2);
  EXPECT_EQ(report->errors, std::vector<std::string>{"shop: the receiver answered 503"});
  EXPECT_EQ(store_.rows["a"].delivery.due_at, clock_.now() + 1s);
}

TEST_F(Outbox, BringsEveryMessageOnceToAReceiverThatWasDown) {
  receiver_.down_for = 20;
  std::multiset<std::string> all;
  for (int i = 0; i < 7; ++i) {
    put("id" + std::to_string(i));
    all.insert("id" + std::to_string(i));
  }

  run_until_empty();

  EXPECT_EQ(receiver_.received, all);
  EXPECT_EQ(count("sent"), 7U);
  EXPECT_EQ(receiver_.requests, 27);
}

TEST_F(Outbox, BringsEveryMessageToAReceiverThatWasDownForADay) {
  for (int i = 0; i < 5; ++i) put("id" + std::to_string(i));
  receiver_.down_for = 1'000'000;
  while (clock_.now() < start_ + 24h) {
    ASSERT_TRUE(pass());
    clock_.advance(10min);
  }
  EXPECT_EQ(receiver_.received.size(), 0U);

  receiver_.down_for = 0;
  run_until_empty();

  EXPECT_EQ(receiver_.received.size(), 5U);
  EXPECT_EQ(receiver_.tried.size(), 5U);  // the same ids on every attempt
}

TEST_F(Outbox, GivesUpAfterSeventyTwoHours) {
  receiver_.down_for = 1'000'000;
  put("a");

  run_until_empty();

  EXPECT_EQ(store_.rows["a"].state, "dead");
  EXPECT_EQ(store_.rows["a"].error, "the receiver answered 503");
  EXPECT_EQ(clock_.now(), start_ + kDeliveryLifetime);
  EXPECT_EQ(receiver_.requests, 78);  // 6 in the first 36 minutes, then hourly, and one at the end
}

TEST_F(Outbox, GivesUpAtOnceWhenTheReceiverIsGone) {
  receiver_.down_for = 1;
  receiver_.status_when_down = 410;
  put("a");

  EXPECT_EQ(pass()->dead, 1U);
  EXPECT_EQ(store_.rows["a"].state, "dead");
}

TEST_F(Outbox, SendsAgainWithTheSameIdWhenItCouldNotWriteDownTheFirstTime) {
  put("a");
  store_.can_write = false;
  EXPECT_FALSE(pass());
  EXPECT_EQ(receiver_.received.count("a"), 1U);

  store_.can_write = true;
  ASSERT_TRUE(pass());

  EXPECT_EQ(receiver_.received.count("a"), 2U);
  EXPECT_EQ(count("sent"), 1U);
}

TEST_F(Outbox, StopsSendingWhenTheStoreFails) {
  for (int i = 0; i < 100; ++i) put("id" + std::to_string(i));
  store_.can_write = false;

  const auto report = pass();

  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::unavailable);
  EXPECT_LE(receiver_.requests, static_cast<int>(OutboxSender::kPerReceiver));
}

TEST_F(Outbox, KeepsMessagesOfAJobThatIsNoLongerConfiguredForAWhile) {
  put("a");
  is_configured_ = false;

  const auto report = pass();

  EXPECT_EQ(report->waiting, 1U);
  EXPECT_EQ(store_.rows["a"].error, "the job is not configured any more");
  is_configured_ = true;
  run_until_empty();
  EXPECT_EQ(receiver_.received.count("a"), 1U);
}

TEST_F(Outbox, SaysThatTheWebhookUrlIsMissing) {
  put("a");
  job_.webhook.url.clear();

  EXPECT_EQ(pass()->waiting, 1U);
  EXPECT_EQ(store_.rows["a"].error, "the job has no webhook.url any more");
}

}  // namespace
}  // namespace heddle::hub

// WorkerService with a real store and a real channel.
#include "hub/runs/dispatch/worker_service.hpp"

#include <deque>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ipc/rpc_peer.hpp"
#include "ipc/worker_messages.hpp"
#include "net/hosts/local_host_gate.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::hub {
namespace {

namespace asio = boost::asio;
using ipc::WorkerMessage;
using supervise::SlotRef;
using ::testing::HasSubstr;
using ::testing::SizeIs;

// The worker's end of the channel.
class Peer {
 public:
  Peer(asio::io_context& loop, FileDescriptor socket)
      : peer_(std::make_shared<ipc::Channel>(loop.get_executor(), std::move(socket))) {
    asio::co_spawn(loop, listen(), asio::detached);
  }

  template <class Answer, class Question>
  Async<Result<Answer>> ask(WorkerMessage type, Question question) {
    ipc::Frame frame = ipc::to_frame(type, question);
    auto answer = co_await peer_.call(std::move(frame));
    if (!answer) co_return std::move(answer).error();
    auto value = ipc::unpacked<Result<Answer>>(answer->body);
    co_return value ? std::move(*value) : Result<Answer>(value.error());
  }

  std::vector<std::uint64_t> granted;

 private:
  Async<void> listen() {
    ipc::RpcPeer::Handler handle = [this](const ipc::Frame& frame) -> Status {
      granted.push_back(ipc::unpacked<ipc::HostGranted>(frame.body)->request);
      return Done{};
    };
    co_await peer_.run(std::move(handle));
  }

  ipc::RpcPeer peer_;
};

class WorkerServiceTest : public ::testing::Test {
 protected:
  struct Worker {
    std::shared_ptr<ipc::Channel> channel;
    std::shared_ptr<WorkerService> service;
    std::unique_ptr<Peer> peer;
  };

  void SetUp() override {
    auto opened = store::SqliteStore::open(folder_.path() / "heddle.db");
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::move(*opened);
    heddle::Run record;
    record.id = run_.id;
    record.job = run_.job.id;
    std::vector<std::string> urls{"http://a/1", "http://a/2"};
    ASSERT_TRUE(drive(store_->begin_run(record, urls)));
  }

  static Job shop() {
    Job job;
    job.id = {"shop"};
    return job;
  }

  void TearDown() override {
    for (Worker& worker : workers_) worker.service->end();
    loop_.poll();
  }

  Worker& add_worker(SlotRef slot) {
    auto ends = ipc::make_socket_pair();
    Worker worker;
    worker.channel = std::make_shared<ipc::Channel>(loop_.get_executor(), std::move(ends->first));
    WorkerServiceParts parts{*store_, gate_, runs_, log_, [this](const JobId&) { ++pages_done_; }};
    parts.slot_number = static_cast<int>(slot.slot);
    worker.service =
        std::make_shared<WorkerService>(loop_.get_executor(), parts, slot, worker.channel);
    worker.peer = std::make_unique<Peer>(loop_, std::move(ends->second));
    asio::co_spawn(loop_, serve(worker.channel, worker.service), asio::detached);
    workers_.push_back(std::move(worker));
    return workers_.back();
  }

  Async<void> serve(std::shared_ptr<ipc::Channel> channel, std::shared_ptr<WorkerService> service) {
    while (true) {
      auto frame = co_await channel->receive();
      if (!frame) co_return;
      auto handled = co_await service->handle(std::move(*frame));
      if (!handled) broken_.push_back(handled.error().message);
    }
  }

  template <class T>
  T drive(Async<T> work) {
    std::optional<T> result;
    asio::co_spawn(loop_, std::move(work),
                   [&](const std::exception_ptr&, T value) { result = std::move(value); });
    const auto busy = asio::make_work_guard(loop_);
    loop_.restart();
    while (!result) loop_.run_one();
    return std::move(*result);
  }

  Result<TaskBatch> lease(Worker& worker, std::size_t most = 10) {
    ipc::LeaseTasks wanted{run_.id, most, WallTime{}};
    return drive(worker.peer->ask<TaskBatch>(WorkerMessage::lease_tasks, std::move(wanted)));
  }

  Result<CommitReceipt> commit(Worker& worker, const Lease& lease) {
    PageResult page;
    page.lease = lease;
    page.job = {"shop"};
    page.final_url = lease.task.url;
    return drive(worker.peer->ask<CommitReceipt>(WorkerMessage::commit, std::move(page)));
  }

  heddle::testing::TemporaryFolder folder_;
  asio::io_context loop_{1};
  NoLog log_;
  net::LocalHostGate gate_{loop_.get_executor(), {1, std::chrono::milliseconds(0)}, {}};
  std::unique_ptr<store::SqliteStore> store_;
  ActiveRun run_{.id = {"run"}, .job = shop()};
  ActiveRuns runs_;
  ActiveRuns::Registration registration_{runs_, run_};
  std::deque<Worker> workers_;
  std::vector<std::string> broken_;
  int pages_done_ = 0;
};

TEST_F(WorkerServiceTest, LeasesAndStoresForTheHolderOfARun) {
  Worker& worker = add_worker({0, 0});
  run_.holder = SlotRef{0, 0};
  const auto batch = lease(worker);
  ASSERT_TRUE(batch) << batch.error().message;
  ASSERT_THAT(batch->leases, SizeIs(2));
  EXPECT_TRUE(commit(worker, batch->leases[0]));
  EXPECT_EQ(pages_done_, 1);
}

TEST_F(WorkerServiceTest, RefusesAWorkerThatDoesNotHoldTheRun) {
  Worker& worker = add_worker({0, 0});
  run_.holder = SlotRef{1, 0};
  const auto batch = lease(worker);
  ASSERT_FALSE(batch);
  EXPECT_EQ(batch.error().code, ErrorCode::conflict);
}

TEST_F(WorkerServiceTest, RefusesTheCommitOfAReplacedProcess) {
  Worker& stopped = add_worker({0, 0});
  run_.holder = SlotRef{0, 0};
  const auto first = lease(stopped, 1);
  ASSERT_TRUE(first) << first.error().message;

  // It is silent for too long: its run goes to the next process, which repeats the page.
  Worker& next = add_worker({0, 1});
  run_.holder = SlotRef{0, 1};
  ASSERT_TRUE(drive(store_->release_leases(run_.id)));
  const auto second = lease(next, 1);
  ASSERT_TRUE(second);
  ASSERT_EQ(second->leases[0].task.number, first->leases[0].task.number);

  const auto late = commit(stopped, first->leases[0]);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, ErrorCode::conflict);
  EXPECT_TRUE(commit(next, second->leases[0]));
  // Nor with its old token, should its slot get the run again.
  run_.holder = SlotRef{0, 0};
  const auto again = commit(stopped, first->leases[0]);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::conflict);
}

TEST_F(WorkerServiceTest, ChargesCostsToTheSlotOfTheWorker) {
  Worker& worker = add_worker({2, 0});
  run_.holder = SlotRef{2, 0};
  auto batch = lease(worker);
  ASSERT_TRUE(batch);
  PageResult page;
  page.lease = batch->leases.at(0);
  page.job = {"shop"};
  page.final_url = page.lease.task.url;
  page.cost = {std::chrono::microseconds(40), 7};  // ignored: the service knows the slot
  ASSERT_TRUE(drive(worker.peer->ask<CommitReceipt>(WorkerMessage::commit, std::move(page))));
  ipc::RunCharge rest{run_.id, {std::chrono::microseconds(2), 7}};
  ASSERT_TRUE(drive(worker.peer->ask<Done>(WorkerMessage::charge, rest)));
  auto stored = drive(store_->find_run(run_.id));
  ASSERT_TRUE(stored && *stored);
  EXPECT_EQ((*stored)->cpu, std::chrono::microseconds(42));
  EXPECT_EQ((*stored)->slots, std::vector<int>{2});

  run_.holder = SlotRef{2, 1};
  auto late = drive(worker.peer->ask<Done>(WorkerMessage::charge, std::move(rest)));
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, ErrorCode::conflict);
}

TEST_F(WorkerServiceTest, RefusesAPageOfAnotherJob) {
  Worker& worker = add_worker({0, 0});
  run_.holder = SlotRef{0, 0};
  run_.job.id = {"other"};
  const auto batch = lease(worker, 1);
  ASSERT_TRUE(batch);
  const auto receipt = commit(worker, batch->leases[0]);
  ASSERT_FALSE(receipt);
  EXPECT_THAT(receipt.error().message, HasSubstr("in a run of 'other'"));
}

TEST_F(WorkerServiceTest, ClearsTheProjectChannelOfAPageMessage) {
  Worker& worker = add_worker(SlotRef{0, 0});
  run_.holder = SlotRef{0, 0};
  const auto batch = lease(worker, 1);
  ASSERT_TRUE(batch) << batch.error().message;
  PageResult page;
  page.lease = batch->leases.front();
  page.job = {"shop"};
  page.final_url = page.lease.task.url;
  Delivery message;
  message.id = {"m1"};
  message.job = page.job;
  message.channel = "ops";
  page.deliveries.push_back(message);
  const auto stored =
      drive(worker.peer->ask<CommitReceipt>(WorkerMessage::commit, std::move(page)));
  ASSERT_TRUE(stored) << stored.error().message;
  const auto due = drive(store_->due_deliveries(WallTime{}, 10));
  ASSERT_TRUE(due);
  ASSERT_EQ(due->size(), 1u);
  EXPECT_EQ(due->front().channel, "");
}

TEST_F(WorkerServiceTest, SharesAHostBetweenWorkers) {
  Worker& one = add_worker({0, 0});
  Worker& two = add_worker({1, 0});
  const auto want = [](Worker& worker, std::uint64_t request) {
    const ipc::AcquireHost message{request, "a.example"};
    auto handled = worker.service->handle(ipc::to_frame(WorkerMessage::acquire_host, message));
    return handled;
  };
  ASSERT_TRUE(drive(want(one, 1)));
  ASSERT_TRUE(drive(want(two, 7)));
  while (one.peer->granted.empty()) loop_.run_one();
  loop_.poll();
  EXPECT_THAT(two.peer->granted, SizeIs(0)) << "one request at a time";

  one.service->end();  // its process died and released the host
  while (two.peer->granted.empty()) loop_.run_one();
  EXPECT_EQ(two.peer->granted[0], 7U);
}

TEST_F(WorkerServiceTest, RejectsTooManyHostRequestsAsCorrupt) {
  Worker& worker = add_worker({0, 0});
  Status handled = Done{};
  std::uint64_t request = 0;
  while (handled && request < 100'000) {
    const ipc::AcquireHost message{++request, "a"};
    handled = drive(worker.service->handle(ipc::to_frame(WorkerMessage::acquire_host, message)));
  }
  ASSERT_FALSE(handled);
  EXPECT_EQ(handled.error().code, ErrorCode::corrupt);
  EXPECT_EQ(request, 16'385u);
  worker.service->end();
}

TEST_F(WorkerServiceTest, RejectsMalformedFramesAsCorrupt) {
  Worker& worker = add_worker({0, 0});
  for (std::uint16_t type = 16; type < 80; ++type) {
    ipc::Frame frame{type, 5, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"};
    const auto handled = drive(worker.service->handle(std::move(frame)));
    ASSERT_FALSE(handled) << type;
    EXPECT_EQ(handled.error().code, ErrorCode::corrupt) << type;
  }
}

TEST_F(WorkerServiceTest, RejectsARequestWithoutANumberAsCorrupt) {
  Worker& worker = add_worker({0, 0});
  ipc::LeaseTasks wanted{run_.id, 1, WallTime{}};
  const auto handled =
      drive(worker.service->handle(ipc::to_frame(WorkerMessage::lease_tasks, wanted)));
  EXPECT_FALSE(handled);
}

}  // namespace
}  // namespace heddle::hub

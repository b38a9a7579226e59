// Workers that are stopped in the middle of their pages, lose them to another and are continued:
// what they still want to store is not theirs any more. Real worker processes; the test is their
// coordinator, so that it can take pages away from a process that only sleeps.
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <mutex>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/coordinator.hpp"
#include "app/drive.hpp"
#include "config/load_project.hpp"
#include "ipc/messages/worker_messages.hpp"
#include "store/sqlite/connection.hpp"
#include "tests/program/project_folder.hpp"
#include "tests/support/processes.hpp"
#include "tests/support/test_site.hpp"

namespace heddle::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

constexpr int kPages = 8;
constexpr int kAtOnce = 4;

// Nobody is found hung and nobody is late to leave: who dies here is ended by the test.
constexpr std::string_view kProject = R"([limits]
per_host = 4
[recovery]
hang_timeout = "10m"
backoff = "0s"
max_restarts = 100000
poison_limit = 1000
[daemon]
shutdown_timeout = "10m"
)";

int rounds() {
  const char* wanted = std::getenv("HEDDLE_CHAOS_ROUNDS");
  return wanted != nullptr ? std::atoi(wanted) : 4;
}

// Keeps every line.
class Notebook final : public Log {
 public:
  void write(LogLevel /*level*/, std::string_view message) override {
    const std::lock_guard lock(mutex_);
    text_.append(message).append("\n");
  }
  [[nodiscard]] bool says(std::string_view what) const {
    const std::lock_guard lock(mutex_);
    return text_.find(what) != std::string::npos;
  }
  [[nodiscard]] std::string text() const {
    const std::lock_guard lock(mutex_);
    return text_;
  }

 private:
  mutable std::mutex mutex_;
  std::string text_;
};

class StoppedWorker : public ::testing::Test {
 protected:
  void SetUp() override {
    // Whoever asks gets an item that nobody else has: what is stored twice is seen.
    site_.handle("/page", [this](const SiteRequest& request) {
      return html("<li>" + request.query + " for request " + std::to_string(++answered_) + "</li>");
    });
    write_job(0);
    std::filesystem::create_directories(project_.database().parent_path());
    app::CoordinatorSettings settings;
    settings.program = heddle_program();
    auto opened = app::Coordinator::open(loop_, load(), settings, log_);
    ASSERT_TRUE(opened) << opened.error().message;
    coordinator_ = std::move(*opened);
    ASSERT_TRUE(coordinator_->start());
  }

  void TearDown() override {
    site_.release("/page");
    if (coordinator_) app::drive(loop_, coordinator_->shut_down(Deadline::clock::now() + 1s));
  }

  void write_job(int round) const {
    std::string urls;
    for (int page = 0; page < kPages; ++page)
      urls +=
          "\"" + site_.url("/page?r" + std::to_string(round) + "p" + std::to_string(page)) + "\", ";
    project_.write_job("pages", "urls = [" + urls +
                                    "]\nselector = \"li\"\nfields = [\"text:\"]\nworkers = 4\n"
                                    "stagger = \"0s\"\n[webhook]\nenabled = true\nurl = \"" +
                                    site_.url("/hook") + "\"\n");
  }
  [[nodiscard]] Project load() const {
    auto loaded = config::load_project(project_.path(), {});
    for (const auto& problem : loaded.project_problems) ADD_FAILURE() << config::to_text(problem);
    return std::move(loaded.project);
  }

  // A new run of the job as it is written now.
  void begin_run() {
    finished_.reset();
    const Project project = load();
    ASSERT_EQ(project.jobs.size(), 1U);
    boost::asio::co_spawn(
        loop_,
        coordinator_->runs().run(project.jobs.front(), "manual", nullptr,
                                 [this](const heddle::Run& run) { run_ = run.id; }),
        [this](const std::exception_ptr& bug, Result<hub::FinishedRun> finished) {
          if (bug) std::rethrow_exception(bug);
          finished_ = std::move(finished);
        });
  }

  supervise::SlotStatus worker() { return coordinator_->supervisor().status().front(); }
  bool is_ready() { return worker().state == supervise::SlotState::ready; }

  // Its first pages are with the site when it is stopped; their answers wait for it.
  supervise::SlotStatus stop_in_its_pages() {
    EXPECT_TRUE(run_until([this] { return is_ready(); })) << log_.text();
    site_.hold("/page");
    const std::size_t before = site_.count("/page");
    begin_run();
    EXPECT_TRUE(run_until([&] { return site_.count("/page") >= before + kAtOnce; })) << log_.text();
    const supervise::SlotStatus stopped = worker();
    kill(stopped.pid, SIGSTOP);
    EXPECT_TRUE(holds_soon([&] { return state_of(stopped.pid) == 'T'; }));
    site_.release("/page");
    return stopped;
  }

  // What the desk hears when somebody is not believed in any more: the process is not asked.
  void declare_dead(const supervise::SlotStatus& who) {
    supervise::ProcessEvent event;
    event.kind = supervise::EventKind::crash;
    event.slot = who.slot;
    event.name = who.name;
    event.detail = "it does not answer";
    coordinator_->desk().on_event(event);
  }

  // It wants to store a page, and is not heard.
  bool is_turned_away(const supervise::SlotStatus& who) {
    return log_.says("worker " + std::to_string(who.slot.slot) + "." +
                     std::to_string(who.slot.occurrence) +
                     " is not served any more: its message of type " +
                     std::to_string(static_cast<int>(ipc::WorkerMessage::commit)) + " ");
  }

  // All pages of the run, leased and stored by somebody else.
  void do_its_pages() {
    store::Store& store = coordinator_->store();
    ASSERT_TRUE(app::drive(loop_, store.release_leases(run_)));
    const auto batch =
        app::drive(loop_, store.lease_tasks(run_, kPages, coordinator_->clock().now()));
    ASSERT_TRUE(batch);
    ASSERT_EQ(batch->leases.size(), static_cast<std::size_t>(kPages));
    for (const Lease& lease : batch->leases) {
      PageResult page;
      page.lease = lease;
      page.job = load().jobs.front().id;
      page.final_url = lease.task.url;
      ASSERT_TRUE(app::drive(loop_, store.commit(std::move(page))));
    }
  }

  std::int64_t count(const std::string& sql) {
    auto db = store::Connection::open(project_.database(), {.read_only = true});
    if (!db) return -1;
    const auto number = (*db)->query_integer(sql);
    return number ? *number : -1;
  }

  template <class Condition>
  bool run_until(Condition condition) {
    const auto end = std::chrono::steady_clock::now() + 60s;
    while (!condition()) {
      if (std::chrono::steady_clock::now() > end) return false;
      loop_.restart();
      loop_.run_one_for(10ms);
    }
    return true;
  }

  std::atomic<int> answered_ = 0;
  TestSite site_;
  ProjectFolder project_{kProject};
  boost::asio::io_context loop_{1};
  Notebook log_;
  std::unique_ptr<app::Coordinator> coordinator_;
  RunId run_;
  std::optional<Result<hub::FinishedRun>> finished_;
};

TEST_F(StoppedWorker, StoresNothingOnceAnotherHasItsRun) {
  for (int round = 1; round <= rounds(); ++round) {
    write_job(round);
    const supervise::SlotStatus stopped = stop_in_its_pages();
    declare_dead(stopped);
    ASSERT_TRUE(coordinator_->supervisor().replace(stopped.slot.slot));
    const bool goes_on_early = round % 2 == 0;  // beside the one that has its run now
    if (goes_on_early) {
      ASSERT_TRUE(run_until([&] { return worker().pid != stopped.pid; }));
      kill(stopped.pid, SIGCONT);
    }
    ASSERT_TRUE(run_until([this] { return finished_.has_value(); })) << "round " << round;
    kill(stopped.pid, SIGCONT);
    ASSERT_TRUE(run_until([&] { return is_turned_away(stopped); })) << log_.text();
    kill(stopped.pid, SIGKILL);  // all it sent is read before its end is told
    ASSERT_TRUE(run_until([&] { return !is_alive(stopped.pid); }));

    ASSERT_TRUE(*finished_) << finished_->error().message;
    EXPECT_EQ((*finished_)->run.state, RunState::completed);
    EXPECT_EQ((*finished_)->run.pages.done, kPages);
    EXPECT_EQ((*finished_)->run.items.fresh, kPages);
    ASSERT_EQ(count("SELECT count(*) FROM items"), round * kPages) << "round " << round;
    ASSERT_EQ(count("SELECT count(*) FROM outbox"), round * kPages) << "round " << round;
  }
}

// It is still believed in: only the tokens of its leases tell.
TEST_F(StoppedWorker, StoresNothingOnceItsPagesAreLeasedAnew) {
  for (int round = 1; round <= rounds(); ++round) {
    write_job(round);
    const supervise::SlotStatus stopped = stop_in_its_pages();
    do_its_pages();
    kill(stopped.pid, SIGCONT);
    ASSERT_TRUE(run_until([this] { return finished_.has_value(); })) << "round " << round;
    ASSERT_TRUE(*finished_) << finished_->error().message;
    ASSERT_FALSE((*finished_)->run.errors.empty()) << "it wanted to store nothing";
    EXPECT_THAT((*finished_)->run.errors.front().message, HasSubstr("a newer lease exists"));
    EXPECT_EQ((*finished_)->run.pages.done, kPages);
    ASSERT_EQ(count("SELECT count(*) FROM items"), 0) << "round " << round;
    ASSERT_EQ(count("SELECT count(*) FROM outbox"), 0) << "round " << round;
    EXPECT_EQ(worker().pid, stopped.pid);
  }
}

}  // namespace
}  // namespace heddle::testing

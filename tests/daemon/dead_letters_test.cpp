// Dead letters in the CLI, with a real daemon and without one.
#include <atomic>
#include <csignal>

#include "tests/daemon/daemon_fixture.hpp"

namespace heddle::testing {
namespace {

using namespace std::chrono_literals;
namespace json = boost::json;
using ::testing::HasSubstr;

// Pages 0 and 1 of five fail while is_down_ is set; the webhook while is_hook_gone_ is set.
class DeadLetters : public DaemonFixture {
 protected:
  void SetUp() override {
    site_.handle("/shaky", [this](const SiteRequest& request) {
      std::this_thread::sleep_for(pause_.load());
      const bool is_failing = is_down_ && (request.query == "p0" || request.query == "p1");
      return is_failing ? SiteResponse{.status = 500} : html("<li>" + request.query + "</li>");
    });
    site_.handle("/hook", [this](const SiteRequest&) {
      return SiteResponse{.status = is_hook_gone_ ? 410 : 200};
    });
    write_shaky_job();
  }

  void write_shaky_job(std::string_view more = "") {
    std::string urls;
    for (int i = 0; i < 5; ++i) urls += "\"" + site_.url("/shaky?p" + std::to_string(i)) + "\", ";
    project_.write_job("pages", "urls = [" + urls +
                                    "]\nselector = \"li\"\nfields = [\"text:\"]\nstagger = \"0s\"\n"
                                    "schedule = \"manual\"\n" +
                                    std::string(more) + "[retry]\nmax = 0\n");
  }

  void fail_two_pages() {
    const ProgramResult run = project_.heddle({"run", "pages"});
    ASSERT_EQ(run.exit_code, 0) << run.out << run.err;
    ASSERT_EQ(dead_letters().size(), 2u);
  }

  json::array dead_letters() { return project_.heddle_json({"dead", "list"}).as_array(); }
  std::string newest_id() { return std::to_string(dead_letters().at(0).at("id").as_int64()); }

  std::atomic<bool> is_down_ = true;
  std::atomic<bool> is_hook_gone_ = false;
};

TEST_F(DeadLetters, AreListedAndShown) {
  expect({"dead", "list"}, 0, "no dead letters");
  EXPECT_EQ(project_.heddle_json({"dead", "list"}), json::parse("[]"));
  fail_two_pages();
  expect({"dead", "list", "pages"}, 0, site_.url("/shaky?p0"));
  const auto letter = project_.heddle_json({"dead", "show", newest_id()});
  EXPECT_EQ(letter.at("job_id"), "pages");
  EXPECT_EQ(letter.at("origin"), "page");
  EXPECT_EQ(letter.at("error_kind"), "http");
  expect({"dead", "show", newest_id()}, 0, "attempts      1");
  expect({"dead", "show", "4711"}, 1, "there is no dead letter 4711");
  expect({"dead", "list", "nobody"}, 1, "there is no job 'nobody'");
}

TEST_F(DeadLetters, RetryOnlyTheirPageWithoutADaemon) {
  fail_two_pages();
  is_down_ = false;
  const auto before = site_.count("/shaky");
  const auto done = project_.heddle_json({"dead", "retry", newest_id()});
  EXPECT_EQ(done.at("runs").at(0).at("pages").at("done"), 1);
  EXPECT_EQ(site_.count("/shaky"), before + 1);
  EXPECT_EQ(dead_letters().size(), 1u);
  EXPECT_EQ(count("SELECT count(*) FROM runs WHERE trigger_kind = 'dead_letter'"), 1);
  EXPECT_EQ(count("SELECT count(*) FROM items"), 4);
  expect({"dead", "retry", "--all"}, 0, "1 of 1 page done");
  EXPECT_EQ(count("SELECT count(*) FROM items"), 5);
  expect({"dead", "retry", "--all"}, 0, "no dead letters");
}

TEST_F(DeadLetters, LeaveAnUnfinishedRunOfADaemonAlone) {
  fail_two_pages();
  pause_ = 100ms;
  {
    RunningDaemon daemon(project_, 1);
    expect({"trigger", "pages"}, 0, "");
    ASSERT_TRUE(eventually([&] { return unfinished_runs() == 1; })) << daemon.log();
    daemon.signal(SIGKILL);
    daemon.wait();
  }
  is_down_ = false;
  expect({"dead", "retry", "--all"}, 1, "has an unfinished run");
  EXPECT_EQ(unfinished_runs(), 1);
  EXPECT_GE(dead_letters().size(), 2u);
  const RunningDaemon daemon(project_, 1);
  ASSERT_TRUE(eventually([&] { return unfinished_runs() == 0; })) << daemon.log();
  EXPECT_EQ(count("SELECT count(*) FROM runs WHERE state = 'failed'"), 0);
  expect({"dead", "retry", "--all"}, 0, "done");
  EXPECT_EQ(count("SELECT count(*) FROM items"), 5);
}

TEST_F(DeadLetters, RetryTheirPagesInTheDaemon) {
  fail_two_pages();
  const RunningDaemon daemon(project_, 1);
  expect({"dead", "retry", "--job", "pages"}, 1, "0 of 2 pages done, 2 failed again");
  EXPECT_EQ(dead_letters().size(), 2u) << "they died again";
  is_down_ = false;
  expect({"dead", "retry", "--job", "pages"}, 0, "2 of 2 pages done");
  EXPECT_EQ(dead_letters().size(), 0u);
  EXPECT_EQ(count("SELECT count(*) FROM items"), 5);
}

TEST_F(DeadLetters, AreNotRetriedForAPausedJob) {
  fail_two_pages();
  expect({"pause", "pages"}, 0, "paused");
  expect({"dead", "retry", "--all"}, 1, "is paused (user): cannot trigger it now");
  const RunningDaemon daemon(project_, 1);
  expect({"dead", "retry", "--all"}, 1, "is paused (user): cannot trigger it now");
  EXPECT_EQ(dead_letters().size(), 2u);
}

TEST_F(DeadLetters, ArePurged) {
  fail_two_pages();
  expect({"dead", "purge"}, 2, "no dead letters selected");
  expect({"dead", "purge", newest_id(), "--all"}, 2, "give ids, --job JOB or --all");
  expect({"dead", "purge", "4711"}, 1, "there is no dead letter 4711");
  expect({"dead", "purge", newest_id()}, 0, "1 dead letter deleted");
  const RunningDaemon daemon(project_, 1);
  EXPECT_EQ(project_.heddle_json({"dead", "purge", "--all"}).at("purged"), 1);
  EXPECT_EQ(dead_letters().size(), 0u);
}

TEST_F(DeadLetters, ResendTheirMessageWithTheSameId) {
  is_down_ = false;
  is_hook_gone_ = true;
  write_shaky_job("[webhook]\nurl = \"" + site_.url("/hook") + "\"\n");
  EXPECT_EQ(project_.heddle({"run", "pages"}).exit_code, 0);
  ASSERT_FALSE(dead_letters().empty());
  EXPECT_EQ(dead_letters().at(0).at("origin"), "delivery");
  const std::string id(dead_letters().at(0).at("delivery").as_string());
  is_hook_gone_ = false;
  const auto before = site_.requests("/hook").size();
  const RunningDaemon daemon(project_, 1);
  expect({"dead", "retry", newest_id()}, 0, "1 message will be sent");
  ASSERT_TRUE(site_.wait_for_requests("/hook", before + 1)) << daemon.log();
  EXPECT_EQ(site_.requests("/hook").back().header("webhook-id"), id);
  ASSERT_TRUE(
      eventually([&] { return count("SELECT count(*) FROM outbox WHERE state = 1") == 1; }));
}

// Either the dead letter or its run exists, whenever the daemon is killed.
TEST_F(DeadLetters, AreNeitherLostNorDuplicatedWhenTheDaemonIsKilled) {
  fail_two_pages();
  is_down_ = false;
  for (const auto wait : {0ms, 2ms, 5ms, 10ms, 20ms, 40ms}) {
    if (dead_letters().empty()) break;
    const auto left = dead_letters().size();
    RunningDaemon daemon(project_, 1);
    RunningHeddle retry(project_.path(), {"dead", "retry", newest_id()});
    std::this_thread::sleep_for(wait);
    daemon.signal(SIGKILL);
    daemon.wait();
    retry.wait();
    const auto runs = count(
        "SELECT count(*) FROM tasks t JOIN runs r ON r.number = t.run"
        " WHERE r.trigger_kind = 'dead_letter'");
    EXPECT_EQ(dead_letters().size() + static_cast<std::size_t>(runs), 2u) << left;
  }
  const RunningDaemon daemon(project_, 1);
  ASSERT_TRUE(eventually([&] { return unfinished_runs() == 0; })) << daemon.log();
  if (!dead_letters().empty()) expect({"dead", "retry", "--all"}, 0, "done");
  EXPECT_EQ(count("SELECT count(*) FROM items"), 5);
}

}  // namespace
}  // namespace heddle::testing

// `kill -9` of the daemon, with and without its shepherds, while it starts programs: every run
// whose pre_start hooks have ended gets its post_stop hook once, unless the hook was interrupted.
#include <cstdlib>
#include <fstream>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "store/sqlite/core/connection.hpp"
#include "store/sqlite/core/statement.hpp"
#include "tests/program/running_daemon.hpp"
#include "tests/support/processes.hpp"

namespace heddle::testing {
namespace {

constexpr int kCommandJobs = 6;

int rounds_of_kills() {
  const char* wanted = std::getenv("HEDDLE_CHAOS_ROUNDS");
  return wanted != nullptr ? std::atoi(wanted) : 12;
}

class KilledStarts : public ::testing::Test {
 protected:
  void SetUp() override {
    for (int job = 0; job < kCommandJobs; ++job)
      project_.write_job("job" + std::to_string(job),
                         "kind = \"command\"\ncommand = \"exit 1\"\nschedule = \"* * * * * *\"\n"
                         "[[hooks.pre_start]]\nname = \"first\"\n"
                         "command = \"echo $HEDDLE_RUN_ID >> ../first\"\n"
                         "[[hooks.post_stop]]\nname = \"last\"\n"
                         "command = \"echo $HEDDLE_RUN_ID >> ../last\"\n");
  }

  // How often each run wrote its id to the file.
  [[nodiscard]] std::map<std::string, int> lines_of(const std::string& name) const {
    std::map<std::string, int> times;
    std::ifstream file(project_.path() / "jobs" / name);
    for (std::string line; std::getline(file, line);) ++times[line];
    return times;
  }

  int random_up_to(int most) { return std::uniform_int_distribution<int>(0, most)(random_); }

  // At a random moment near a start.
  void kill_while_it_starts_programs(bool with_shepherds) {
    RunningDaemon daemon(project_, 1);
    const std::string watched = random_up_to(1) == 0 ? "first" : "last";
    const std::size_t awaited =
        lines_of(watched).size() + static_cast<std::size_t>(random_up_to(kCommandJobs));
    ASSERT_TRUE(eventually([&] { return lines_of(watched).size() >= awaited; })) << daemon.log();
    usleep(static_cast<useconds_t>(random_up_to(12'000)));
    const std::vector<pid_t> children = daemon.children();
    daemon.signal(SIGKILL);
    if (with_shepherds)
      for (const pid_t child : children) kill(child, SIGKILL);
    daemon.wait();
  }

  // The hook's state of every run that has ended, by run.
  std::map<std::string, std::string> states_of(const std::string& hook) {
    std::map<std::string, std::string> states;
    auto db = store::Connection::open(project_.database(), {.read_only = true});
    EXPECT_TRUE(db);
    store::Statement select(**db,
                            "SELECT r.id, coalesce(h.state, '') FROM runs r LEFT JOIN hook_tries h"
                            " ON h.run = r.number AND h.hook = ? WHERE r.ended_at IS NOT NULL");
    auto rows = select.query(hook);
    for (auto more = rows.next(); more && *more; more = rows.next())
      states[std::string(rows.text(0))] = rows.text(1);
    return states;
  }

  ProjectFolder project_;
  std::mt19937 random_{std::random_device{}()};
};

TEST_F(KilledStarts, LoseNoPostStopHookAndRepeatNone) {
  const int rounds = rounds_of_kills();
  for (int round = 0; round < rounds; ++round) {
    kill_while_it_starts_programs(round % 2 == 0);
    if (HasFatalFailure()) return;
  }
  {  // a last daemon resumes what the others left
    RunningDaemon daemon(project_, 1);
    const std::size_t enough = lines_of("last").size() + 2UL * kCommandJobs;
    ASSERT_TRUE(eventually([&] { return lines_of("last").size() >= enough; })) << daemon.log();
    daemon.signal(SIGTERM);
    daemon.wait();
  }
  const auto ran = lines_of("last");
  const auto first = states_of("first");
  int interrupted = 0;
  for (const auto& [run, state] : states_of("last")) {
    if (first.at(run) != "succeeded") continue;  // its work never began
    const auto found = ran.find(run);
    const int times = found == ran.end() ? 0 : found->second;
    EXPECT_LE(times, 1) << run << " ran its hook twice";
    if (state == "interrupted") {
      ++interrupted;
      continue;
    }
    EXPECT_EQ(state, "succeeded") << run;
    EXPECT_EQ(times, 1) << run << " never ran its hook";
  }
  EXPECT_LE(interrupted, rounds * kCommandJobs);
  // A start that the last shutdown interrupted keeps its claim for the next daemon.
  std::error_code missing;
  for (const auto& claim :
       std::filesystem::directory_iterator(project_.path() / "data" / "starts", missing)) {
    const std::string name = claim.path().filename().string();
    EXPECT_FALSE(first.contains(name.substr(0, name.find('-')))) << name << ": its run has ended";
  }
}

}  // namespace
}  // namespace heddle::testing

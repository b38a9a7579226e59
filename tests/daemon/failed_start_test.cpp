// A coordinator whose workers cannot be started at first.
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include "app/daemon/coordinator_runtime.hpp"
#include "base/drive.hpp"
#include "config/load_project.hpp"
#include "tests/program/project_folder.hpp"

namespace heddle::testing {
namespace {

using namespace std::chrono_literals;

TEST(FailedStart, IsReportedAndRetried) {
  const ProjectFolder folder("[recovery]\nbackoff = \"1ms\"\n");
  std::filesystem::create_directories(folder.database().parent_path());
  app::CoordinatorSettings settings;
  settings.program = folder.path() / "program";
  boost::asio::io_context loop(1);
  NoLog log;
  auto coordinator = app::CoordinatorRuntime::open(
      loop, config::load_project(folder.path(), {}).project, settings, log);
  ASSERT_TRUE(coordinator) << coordinator.error().message;
  const auto started = (*coordinator)->start();
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().message.find("cannot start worker 1: "), 0U) << started.error().message;

  std::filesystem::create_symlink(heddle_program(), settings.program);
  supervise::Supervisor& supervisor = (*coordinator)->supervisor();
  const auto end = std::chrono::steady_clock::now() + 60s;
  while (supervisor.status().front().state != supervise::SlotState::ready) {
    ASSERT_LT(std::chrono::steady_clock::now(), end);
    loop.restart();
    loop.run_one_for(10ms);
  }
  heddle::drive(loop, (*coordinator)->shut_down(std::chrono::steady_clock::now() + 10s));
}

}  // namespace
}  // namespace heddle::testing

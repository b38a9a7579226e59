#include "process/start_thread.hpp"

#include <future>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rethrow_bug.hpp"
#include "process/shepherded.hpp"
#include "tests/support/processes.hpp"
#include "tests/support/run_async.hpp"
#include "tests/support/shepherd_file.hpp"

namespace heddle::process {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using testing::has_children;
using testing::run_async;

ShepherdedSpec program(std::vector<std::string> argv) {
  ShepherdedSpec spec;
  spec.program.argv = std::move(argv);
  spec.shepherd = testing::shepherd_file();
  return spec;
}

class StartThreadTest : public ::testing::Test {
 protected:
  void call(std::function<void()> start) {
    boost::asio::co_spawn(loop_, thread_.call(std::move(start)), rethrow_bug);
  }

  boost::asio::io_context loop_{1};
  StartThread thread_;
};

TEST_F(StartThreadTest, DoesNotBlockTheLoopDuringASlowStart) {
  std::promise<void> may_continue;
  call([&may_continue] { may_continue.get_future().wait(); });
  boost::asio::steady_timer timer(loop_, 10ms);
  timer.async_wait([&may_continue](boost::system::error_code) { may_continue.set_value(); });
  loop_.run();  // never returns if the start blocks it
}

TEST_F(StartThreadTest, RunsCallsInOrder) {
  std::vector<int> order;  // only the thread writes it, and it is joined before it is read
  for (int number = 1; number <= 4; ++number) call([&order, number] { order.push_back(number); });
  loop_.run();
  thread_.close();
  EXPECT_THAT(order, ElementsAre(1, 2, 3, 4));
}

TEST_F(StartThreadTest, RunsQueuedCallsBeforeItCloses) {
  int started = 0;
  for (int i = 0; i < 20; ++i) call([&started] { ++started; });
  loop_.poll();
  thread_.close();
  EXPECT_EQ(started, 20);
}

TEST_F(StartThreadTest, StartsProgramsThatOutliveTheCall) {
  auto sleeping = run_async(Shepherded::start(program({"/bin/sleep", "600"}), thread_));
  ASSERT_TRUE(sleeping) << sleeping.error().message;
  auto next = run_async(Shepherded::start(program({"/bin/true"}), thread_));
  ASSERT_TRUE(next);
  EXPECT_TRUE(run_async((*next)->wait()).succeeded());
  EXPECT_TRUE(testing::is_alive((*sleeping)->pid()));
  next->reset();
  sleeping->reset();
  EXPECT_FALSE(has_children());
}

TEST_F(StartThreadTest, ReportsAStartFailure) {
  auto started = run_async(Shepherded::start(program({"/no/such/program"}), thread_));
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, ErrorCode::not_found);
  EXPECT_FALSE(has_children());
}

}  // namespace
}  // namespace heddle::process

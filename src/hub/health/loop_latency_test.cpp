#include "hub/health/loop_latency.hpp"

#include <thread>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <gtest/gtest.h>

#include "base/rethrow_bug.hpp"

namespace heddle::hub {
namespace {

using namespace std::chrono_literals;

TEST(LoopLatency, MeasuresABlockedLoop) {
  boost::asio::io_context loop(1);
  LoopLatency latency;
  boost::asio::co_spawn(loop, latency.watch(), rethrow_bug);
  loop.run_for(50ms);
  boost::asio::post(loop, [] { std::this_thread::sleep_for(700ms); });  // past the next sample
  const auto deadline = std::chrono::steady_clock::now() + 20s;
  while (latency.worst() < 100ms && std::chrono::steady_clock::now() < deadline)
    loop.run_one_for(50ms);
  EXPECT_GE(latency.worst(), 100ms);
  latency.stop();
  loop.restart();
  loop.run();
}

}  // namespace
}  // namespace heddle::hub

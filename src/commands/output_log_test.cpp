#include "commands/output_log.hpp"

#include <atomic>
#include <future>
#include <memory>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/processes.hpp"
#include "tests/support/run_async.hpp"

namespace heddle::commands {
namespace {

using namespace std::chrono_literals;
using heddle::testing::run_async;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::size_t kRoom = 16UL * 1024;

class OutputLogTest : public ::testing::Test {
 protected:
  static OutputTag tag() { return {{"job"}, {"run"}, "0.1", OutputStream::output}; }
  // The thread writes nothing before unblock_.
  OutputLogRules rules() {
    OutputLogRules made;
    made.max_waiting_per_stream = kRoom;
    made.secrets = {"open sesame please"};
    made.on_line = [this, first = true](const OutputTag&, std::string_view line) mutable {
      if (std::exchange(first, false)) unblock_.get_future().wait();
      lines_.emplace_back(line);
    };
    return made;
  }
  void drain() { run_async(output_log_.drain(60s)); }

  std::promise<void> unblock_;
  std::vector<std::string> lines_;  // read once all is written
  OutputLog output_log_{rules()};
};

TEST_F(OutputLogTest, KeepsTheEndOfOutputThatComesTooFast) {
  {
    const auto sink = output_log_.open(tag());
    sink("first\n");
    for (int i = 0; i < 100; ++i) sink(std::string(1023, 'x') + '\n');
    sink("the end\n");
  }
  unblock_.set_value();
  drain();
  ASSERT_FALSE(lines_.empty());
  EXPECT_EQ(lines_.front(), "first");
  EXPECT_EQ(lines_.back(), "the end");
  EXPECT_THAT(lines_, ::testing::Contains(HasSubstr("bytes dropped")));
  EXPECT_GT(output_log_.bytes_left_out(), 0u);
}

TEST_F(OutputLogTest, RedactsTheEndOfASecretWhoseBeginningWasDropped) {
  constexpr std::size_t kKept = 4UL * 1024;  // of output that comes too fast
  const std::string end_of_secret = "me please";
  {
    const auto sink = output_log_.open(tag());
    sink("first\n");
    sink(std::string(kRoom - 100, 'x') + '\n');
    sink("open sesame please" + std::string(kKept - end_of_secret.size(), 'y'));
  }
  unblock_.set_value();
  drain();
  EXPECT_GT(output_log_.bytes_left_out(), 0u);
  EXPECT_THAT(lines_.back(), ::testing::StartsWith("[redacted]yyy"));
}

TEST_F(OutputLogTest, DropsNothingWhenTheRestIsShort) {
  {
    const auto sink = output_log_.open(tag());
    sink("first\n");
    sink(std::string(kRoom - 100, 'x') + '\n');
    sink(std::string(200, 'y') + '\n');
    sink("the end\n");
  }
  unblock_.set_value();
  drain();
  EXPECT_EQ(lines_.back(), "the end");
  EXPECT_EQ(output_log_.bytes_left_out(), 0u);
}

TEST(AbandonedOutputLog, CallsNoFunctionAnyMore) {
  constexpr int kMoreThanItsFinalSecond = 30'000;            // also on a busy machine
  const auto calls = std::make_shared<std::atomic<int>>(0);  // held by the thread until it ends
  OutputLogRules rules;
  rules.on_line = [calls](const OutputTag&, std::string_view) {
    std::this_thread::sleep_for(1ms);  // a slow owner
    ++*calls;
  };
  auto output_log = std::make_unique<OutputLog>(std::move(rules));
  {
    const auto sink = output_log->open({{"job"}, {"run"}, "0.1", OutputStream::output});
    for (int i = 0; i < kMoreThanItsFinalSecond; ++i) sink("line\n");
  }
  output_log.reset();
  const int when_it_went = *calls;
  EXPECT_LT(when_it_went, kMoreThanItsFinalSecond);
  ASSERT_TRUE(heddle::testing::eventually([&] { return calls.use_count() == 1; }));
  EXPECT_EQ(*calls, when_it_went);
}

TEST_F(OutputLogTest, WritesALastLineWithoutANewline) {
  unblock_.set_value();
  {
    const auto sink = output_log_.open(tag());
    sink("half a ");
    sink("line");
  }
  drain();
  EXPECT_THAT(lines_, ElementsAre("half a line"));
}

}  // namespace
}  // namespace heddle::commands

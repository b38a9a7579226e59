#include "commands/output_book.hpp"

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

class OutputBookTest : public ::testing::Test {
 protected:
  static OutputTag tag() { return {{"job"}, {"run"}, "0.1", OutputStream::output}; }
  // Its thread writes nothing before `let_go`.
  BookRules rules() {
    BookRules made;
    made.max_waiting_per_stream = kRoom;
    made.secrets = {"open sesame please"};
    made.on_line = [this, first = true](const OutputTag&, std::string_view line) mutable {
      if (std::exchange(first, false)) let_go_.get_future().wait();
      lines_.emplace_back(line);
    };
    return made;
  }
  void settle() { run_async(book_.settle(60s)); }

  std::promise<void> let_go_;
  std::vector<std::string> lines_;  // read once all is written
  OutputBook book_{rules()};
};

TEST_F(OutputBookTest, KeepsTheEndOfWhatComesTooFast) {
  {
    const auto sink = book_.open(tag());
    sink("first\n");
    for (int i = 0; i < 100; ++i) sink(std::string(1023, 'x') + '\n');
    sink("the end\n");
  }
  let_go_.set_value();
  settle();
  ASSERT_FALSE(lines_.empty());
  EXPECT_EQ(lines_.front(), "first");
  EXPECT_EQ(lines_.back(), "the end");
  EXPECT_THAT(lines_, ::testing::Contains(HasSubstr("bytes left out")));
  EXPECT_GT(book_.bytes_left_out(), 0u);
}

TEST_F(OutputBookTest, ShowsNoEndOfASecretWhoseBeginningWasLeftOut) {
  constexpr std::size_t kKept = 4UL * 1024;  // of what comes too fast
  const std::string end_of_secret = "me please";
  {
    const auto sink = book_.open(tag());
    sink("first\n");
    sink(std::string(kRoom - 100, 'x') + '\n');
    sink("open sesame please" + std::string(kKept - end_of_secret.size(), 'y'));
  }
  let_go_.set_value();
  settle();
  EXPECT_GT(book_.bytes_left_out(), 0u);
  EXPECT_THAT(lines_.back(), ::testing::StartsWith("[redacted]yyy"));
}

TEST_F(OutputBookTest, LeavesNothingOutWhenTheRestIsShort) {
  {
    const auto sink = book_.open(tag());
    sink("first\n");
    sink(std::string(kRoom - 100, 'x') + '\n');
    sink(std::string(200, 'y') + '\n');
    sink("the end\n");
  }
  let_go_.set_value();
  settle();
  EXPECT_EQ(lines_.back(), "the end");
  EXPECT_EQ(book_.bytes_left_out(), 0u);
}

TEST(AbandonedBook, CallsNobodyAnyMore) {
  constexpr int kMoreThanItsLastSecond = 30'000;             // however busy the machine is
  const auto calls = std::make_shared<std::atomic<int>>(0);  // held by the thread until it ends
  BookRules rules;
  rules.on_line = [calls](const OutputTag&, std::string_view) {
    std::this_thread::sleep_for(1ms);  // a slow owner
    ++*calls;
  };
  auto book = std::make_unique<OutputBook>(std::move(rules));
  {
    const auto sink = book->open({{"job"}, {"run"}, "0.1", OutputStream::output});
    for (int i = 0; i < kMoreThanItsLastSecond; ++i) sink("line\n");
  }
  book.reset();
  const int when_it_went = *calls;
  EXPECT_LT(when_it_went, kMoreThanItsLastSecond);
  ASSERT_TRUE(heddle::testing::holds_soon([&] { return calls.use_count() == 1; }));
  EXPECT_EQ(*calls, when_it_went);
}

TEST_F(OutputBookTest, WritesTheLastLineThoughItHasNoEnd) {
  let_go_.set_value();
  {
    const auto sink = book_.open(tag());
    sink("half a ");
    sink("line");
  }
  settle();
  EXPECT_THAT(lines_, ElementsAre("half a line"));
}

}  // namespace
}  // namespace heddle::commands

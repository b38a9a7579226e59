#include "base/log/queued_log.hpp"

#include <condition_variable>
#include <mutex>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle {
namespace {

using ::testing::ElementsAre;

// Blocks like a pipe without a reader until open() is called.
class StuckLog final : public Log {
 public:
  void write(const LogMessage& message) override {
    std::unique_lock lock(mutex_);
    is_entered_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return is_open_; });
    messages_.emplace_back(message.text);
    changed_.notify_all();
  }
  void open() {
    const std::lock_guard lock(mutex_);
    is_open_ = true;
    changed_.notify_all();
  }
  void wait_until_stuck() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_entered_; });
  }
  std::vector<std::string> wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return messages_.size() >= count; });
    return messages_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_entered_ = false;
  bool is_open_ = false;
  std::vector<std::string> messages_;
};

TEST(QueuedLog, KeepsTheOrderAndReportsHowManyWereDropped) {
  const auto stuck = std::make_shared<StuckLog>();
  QueuedLog log(stuck, 2);
  log.info("first");
  stuck->wait_until_stuck();
  for (const char* text : {"second", "third", "fourth", "fifth"}) log.info(text);
  stuck->open();
  EXPECT_THAT(stuck->wait_for(4),
              ElementsAre("first", "second", "third",
                          "2 messages were dropped here: the output was not read in time"));
  log.info("sixth");
  EXPECT_EQ(stuck->wait_for(5).back(), "sixth");
}

TEST(QueuedLog, DrainsItsQueueWhenDestroyed) {
  const auto stuck = std::make_shared<StuckLog>();
  stuck->open();
  {
    QueuedLog log(stuck);
    for (int i = 0; i < 100; ++i) log.info("line");
  }
  EXPECT_EQ(stuck->wait_for(100).size(), 100u);
}

TEST(QueuedLog, IsDestroyedWhileTheNextLogBlocks) {
  const auto stuck = std::make_shared<StuckLog>();
  {
    QueuedLog log(stuck);
    log.info("never read");
    stuck->wait_until_stuck();
  }
  stuck->open();  // the abandoned thread ends
  EXPECT_THAT(stuck->wait_for(1), ElementsAre("never read"));
}

}  // namespace
}  // namespace heddle

#include "pipeline/shared_downloads.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

namespace heddle::pipeline {
namespace {

using Answer = SharedDownloads::Answer;

FetchResponse page(std::string body) {
  FetchResponse response;
  response.status = 200;
  response.body = std::move(body);
  response.wire_bytes = 10;
  return response;
}

class SharedDownload : public ::testing::Test {
 protected:
  // Asks and stays, with or without an answer.
  std::shared_ptr<std::optional<Answer>> ask(const std::string& job,
                                             const std::string& request = "/") {
    auto into = std::make_shared<std::optional<Answer>>();
    const auto asking = [](SharedDownloads& all, std::string what, JobId who,
                           std::shared_ptr<std::optional<Answer>> place) -> Async<void> {
      auto asked = all.ask(std::move(what), std::move(who));
      place->emplace(co_await std::move(asked));
    };
    boost::asio::co_spawn(loop_, asking(downloads_, request, JobId{job}, into),
                          boost::asio::detached);
    turn_loop();
    return into;
  }
  void turn_loop() {
    loop_.restart();
    loop_.poll();
  }

  boost::asio::io_context loop_;
  SharedDownloads downloads_;
};

TEST_F(SharedDownload, IsWaitedForByOtherJobs) {
  const auto first = ask("a");
  ASSERT_TRUE(*first && (*first)->turn);
  const auto second = ask("b");
  const auto third = ask("c");
  EXPECT_FALSE(*second);

  (*first)->turn->share(page("hello"));
  (*first)->turn.reset();
  turn_loop();

  for (const auto& other : {second, third}) {
    ASSERT_TRUE(*other && (*other)->response);
    EXPECT_EQ((*other)->response->body, "hello");
    EXPECT_EQ((*other)->response->wire_bytes, 0u);
  }
}

TEST_F(SharedDownload, IsGivenToThoseWhoComeSoonAfter) {
  const auto first = ask("a");
  (*first)->turn->share(page("hello"));
  (*first)->turn.reset();
  EXPECT_TRUE((*ask("b"))->response);
}

TEST_F(SharedDownload, IsNotGivenTwiceToAJobThatWantsThePageAnew) {
  const auto first = ask("a");
  (*first)->turn->share(page("hello"));
  (*first)->turn.reset();
  ASSERT_TRUE((*ask("b"))->response);
  const auto again = ask("b");
  EXPECT_FALSE((*again)->response);
  ASSERT_TRUE((*again)->turn);
  EXPECT_FALSE(*ask("a"));  // waits for the new one
  (*again)->turn.reset();
  turn_loop();
}

TEST_F(SharedDownload, IsNotWaitedForByItsOwnJob) {
  const auto first = ask("a");
  const auto other_cycle = ask("a");
  ASSERT_TRUE(*other_cycle);
  EXPECT_FALSE((*other_cycle)->response || (*other_cycle)->turn);
}

TEST_F(SharedDownload, ThatFailsLetsEveryoneAskForThemselves) {
  auto first = ask("a");
  const auto second = ask("b");
  (*first)->turn.reset();
  turn_loop();
  ASSERT_TRUE(*second);
  EXPECT_FALSE((*second)->response);
  EXPECT_TRUE((*ask("c"))->turn);
}

TEST_F(SharedDownload, IsOnlyForTheSameRequest) {
  const auto first = ask("a", "/one");
  EXPECT_TRUE((*ask("b", "/two"))->turn);
}

TEST_F(SharedDownload, IsKeptWithinTheBound) {
  const std::string big(SharedDownloads::kMaxKeptBytes / 3, 'x');
  for (int i = 0; i < 10; ++i) {
    auto one = ask("a", std::to_string(i));
    (*one)->turn->share(page(big));
    (*one)->turn.reset();
    EXPECT_LE(downloads_.kept_bytes(), SharedDownloads::kMaxKeptBytes);
  }
  EXPECT_FALSE((*ask("b", "0"))->response);
  EXPECT_TRUE((*ask("b", "9"))->response);
}

}  // namespace
}  // namespace heddle::pipeline

#include "pipeline/fetch/shared_downloads.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

namespace heddle::pipeline {
namespace {

using Lookup = SharedDownloads::Lookup;

FetchResponse page(std::string body) {
  FetchResponse response;
  response.status = 200;
  response.body = std::move(body);
  response.wire_bytes = 10;
  return response;
}

class SharedDownload : public ::testing::Test {
 protected:
  // Starts a request; the result is empty while it waits.
  std::shared_ptr<std::optional<Lookup>> request(const std::string& job,
                                                 const std::string& url = "/") {
    auto found = std::make_shared<std::optional<Lookup>>();
    const auto lookup = [](SharedDownloads& all, std::string key, JobId id,
                           std::shared_ptr<std::optional<Lookup>> result) -> Async<void> {
      auto pending = all.get_or_start(std::move(key), std::move(id));
      result->emplace(co_await std::move(pending));
    };
    boost::asio::co_spawn(loop_, lookup(downloads_, url, JobId{job}, found), boost::asio::detached);
    poll();
    return found;
  }
  void poll() {
    loop_.restart();
    loop_.poll();
  }

  boost::asio::io_context loop_;
  SharedDownloads downloads_;
};

TEST_F(SharedDownload, IsAwaitedByOtherJobs) {
  const auto first = request("a");
  ASSERT_TRUE(*first && (*first)->promise);
  const auto second = request("b");
  const auto third = request("c");
  EXPECT_FALSE(*second);

  (*first)->promise->fulfill(page("hello"));
  (*first)->promise.reset();
  poll();

  for (const auto& other : {second, third}) {
    ASSERT_TRUE(*other && (*other)->response);
    EXPECT_EQ((*other)->response->body, "hello");
    EXPECT_EQ((*other)->response->wire_bytes, 0u);
  }
}

TEST_F(SharedDownload, IsReusedForRequestsSoonAfter) {
  const auto first = request("a");
  (*first)->promise->fulfill(page("hello"));
  (*first)->promise.reset();
  EXPECT_TRUE((*request("b"))->response);
}

TEST_F(SharedDownload, IsUsedAtMostOncePerJob) {
  const auto first = request("a");
  (*first)->promise->fulfill(page("hello"));
  (*first)->promise.reset();
  ASSERT_TRUE((*request("b"))->response);
  const auto again = request("b");
  EXPECT_FALSE((*again)->response);
  ASSERT_TRUE((*again)->promise);
  EXPECT_FALSE(*request("a"));  // waits for the new download
  (*again)->promise.reset();
  poll();
}

TEST_F(SharedDownload, IsNotAwaitedByItsOwnJob) {
  const auto first = request("a");
  const auto other_cycle = request("a");
  ASSERT_TRUE(*other_cycle);
  EXPECT_FALSE((*other_cycle)->response || (*other_cycle)->promise);
}

TEST_F(SharedDownload, LetsEachJobDownloadWhenItFails) {
  auto first = request("a");
  const auto second = request("b");
  (*first)->promise.reset();
  poll();
  ASSERT_TRUE(*second);
  EXPECT_FALSE((*second)->response);
  EXPECT_TRUE((*request("c"))->promise);
}

TEST_F(SharedDownload, IsSharedOnlyForTheSameRequest) {
  const auto first = request("a", "/one");
  EXPECT_TRUE((*request("b", "/two"))->promise);
}

TEST_F(SharedDownload, StaysWithinTheMemoryLimit) {
  const std::string big(SharedDownloads::kMaxKeptBytes / 3, 'x');
  for (int i = 0; i < 10; ++i) {
    auto one = request("a", std::to_string(i));
    (*one)->promise->fulfill(page(big));
    (*one)->promise.reset();
    EXPECT_LE(downloads_.kept_bytes(), SharedDownloads::kMaxKeptBytes);
  }
  EXPECT_FALSE((*request("b", "0"))->response);
  EXPECT_TRUE((*request("b", "9"))->response);
}

}  // namespace
}  // namespace heddle::pipeline

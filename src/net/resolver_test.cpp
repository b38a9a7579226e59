#include "net/resolver.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/support/run_async.hpp"

namespace heddle::net {
namespace {

using namespace std::chrono_literals;

Result<std::vector<IpAddress>> resolve(std::string host) {
  Resolver resolver;
  return heddle::testing::run_async(
      resolver.resolve(std::move(host), std::chrono::steady_clock::now() + 60s));
}

TEST(Resolver, ReturnsLiteralsUnchanged) {
  EXPECT_EQ(resolve("127.0.0.1")->at(0).text(), "127.0.0.1");
  EXPECT_EQ(resolve("[::1]")->at(0).text(), "::1");
}

TEST(Resolver, ResolvesLocalhostWithoutDns) {
  for (const char* name : {"localhost", "LOCALHOST", "localhost.", "shop.localhost"}) {
    const auto found = resolve(name);
    ASSERT_TRUE(found) << name;
    EXPECT_EQ(found->size(), 2u);
    EXPECT_TRUE(std::all_of(found->begin(), found->end(), [](const IpAddress& address) {
      return special_use(address) == "loopback";
    }));
  }
}

TEST(Resolver, NamesTheUnknownHost) {
  const auto found = resolve("no-such-name.invalid");
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().message.find("no-such-name.invalid"), std::string::npos);
}

}  // namespace
}  // namespace heddle::net

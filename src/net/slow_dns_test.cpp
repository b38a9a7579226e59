// A name server that does not answer must block only the fetch that uses it. This program replaces
// the C library's getaddrinfo, which libcurl calls.
#include <condition_variable>
#include <mutex>
#include <string_view>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <netdb.h>

#include "net/fetching_test.hpp"
#include "tests/support/test_site.hpp"

namespace {

std::mutex dns_mutex;
std::condition_variable dns_changed;
bool is_dns_dead = false;
int waiting_lookups = 0;

void wait_for_dns() {
  std::unique_lock lock(dns_mutex);
  ++waiting_lookups;
  dns_changed.notify_all();
  dns_changed.wait(lock, [] { return !is_dns_dead; });
  --waiting_lookups;
  dns_changed.notify_all();
}

// Until destroyed, names ending in ".slow" get no answer.
class DeadNameServer {
 public:
  DeadNameServer() { set(true); }
  [[nodiscard]] bool is_asked() const {
    const std::lock_guard lock(dns_mutex);
    return waiting_lookups > 0;
  }
  ~DeadNameServer() {
    set(false);
    std::unique_lock lock(dns_mutex);
    dns_changed.wait(lock, [] { return waiting_lookups == 0; });
  }
  DeadNameServer(const DeadNameServer&) = delete;
  DeadNameServer& operator=(const DeadNameServer&) = delete;

 private:
  static void set(bool dead) {
    const std::lock_guard lock(dns_mutex);
    is_dns_dead = dead;
    dns_changed.notify_all();
  }
};

}  // namespace

extern "C" int getaddrinfo(const char* node, const char* service, const addrinfo* hints,
                           addrinfo** result) {
  if (node != nullptr && std::string_view(node).ends_with(".slow")) {
    wait_for_dns();
    return EAI_AGAIN;
  }
  using Function = int(const char*, const char*, const addrinfo*, addrinfo**);
  static Function* const kReal = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, "getaddrinfo"));
  return kReal(node, service, hints, result);
}

namespace heddle::net {
namespace {

using namespace std::chrono_literals;
using namespace heddle::testing;
using ::testing::HasSubstr;
namespace asio = boost::asio;

TEST(SlowDns, EndsInATimeout) {
  const DeadNameServer dead;
  asio::io_context loop;
  const auto client = *Client::make(loop.get_executor(), allowing_loopback());
  std::optional<FetchOutcome> slow;
  const auto fetch_slow = [&]() -> Async<void> {
    FetchRequest request = get("http://host.slow/");
    request.timeout = 50ms;
    slow = co_await client->fetch(std::move(request));
  };
  asio::co_spawn(loop, fetch_slow(), asio::detached);
  loop.run();  // hangs if the loop waits for the name server
  ASSERT_TRUE(slow);
  EXPECT_EQ(expect_error(*slow).kind, FetchErrorKind::timeout);
  EXPECT_THAT(expect_error(*slow).message, HasSubstr("not even connected"));
}

TEST(SlowDns, BlocksNoOtherFetch) {
  TestSite site;
  site.answer("/", html("ok"));
  const DeadNameServer dead;
  asio::io_context loop;
  auto client = *Client::make(loop.get_executor(), allowing_loopback());
  std::optional<FetchOutcome> slow;
  bool are_others_done = false;
  const auto fetch_slow = [&]() -> Async<void> {
    FetchRequest request = get("http://host.slow/");
    request.timeout = 1h;
    slow = co_await client->fetch(std::move(request));
  };
  const auto fetch_others = [&]() -> Async<void> {
    for (int i = 0; i < 3; ++i) expect_response(co_await client->fetch(get(site.url())));
    are_others_done = true;
  };
  asio::co_spawn(loop, fetch_slow(), asio::detached);
  while (!dead.is_asked()) loop.run_for(1ms);
  asio::co_spawn(loop, fetch_others(), asio::detached);
  while (!are_others_done) loop.run_one();
  EXPECT_FALSE(slow);
  client.reset();
  loop.run();
  EXPECT_TRUE(slow);
}

TEST(SlowDns, DoesNotBlockTheDestructionOfTheClient) {
  const DeadNameServer dead;
  asio::io_context loop;
  auto client = *Client::make(loop.get_executor(), allowing_loopback());
  std::optional<FetchOutcome> outcome;
  const auto fetch_slow = [&]() -> Async<void> {
    outcome = co_await client->fetch(get("http://host.slow/"));
  };
  asio::co_spawn(loop, fetch_slow(), asio::detached);
  while (!dead.is_asked()) loop.run_for(1ms);
  client.reset();
  loop.restart();
  loop.run();
  EXPECT_TRUE(outcome);
}

TEST(SlowDns, EndsInATimeoutBehindAProxyToo) {
  asio::io_context loop;
  const auto client = *Client::make(loop.get_executor(), allowing_loopback());
  const DeadNameServer dead;  // ends before the client, which waits for its lookups
  std::optional<FetchOutcome> outcome;
  const auto fetch_slow = [&]() -> Async<void> {
    FetchRequest request = get("http://host.slow/");
    request.proxy = "http://127.0.0.1:1";
    request.timeout = 50ms;
    outcome = co_await client->fetch(std::move(request));
  };
  asio::co_spawn(loop, fetch_slow(), asio::detached);
  loop.run();
  ASSERT_TRUE(outcome);
  EXPECT_EQ(expect_error(*outcome).kind, FetchErrorKind::timeout);
}

}  // namespace
}  // namespace heddle::net

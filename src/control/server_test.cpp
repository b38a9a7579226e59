// A server on a real socket, with misbehaving clients.
#include "control/server.hpp"

#include <array>
#include <cerrno>
#include <future>
#include <optional>
#include <stdexcept>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/rethrow_bug.hpp"
#include "base/user_name.hpp"
#include "base/wake_signal.hpp"
#include "control/client.hpp"
#include "ipc/handshake.hpp"
#include "ipc/rpc_peer.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::control {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::size_t kAnswerBytes = 64UL << 10;
constexpr std::size_t kMaxKept = 16UL << 20;  // per client

// A daemon that answers with long texts, and whose runs begin when the test says so.
class FakeDaemon {
 public:
  FakeDaemon() {
    handlers.add(kStatus, [this](Done, Requester&) { return Result<DaemonStatus>(status()); });
    handlers.add(kRunJob, [this](RunJob request, Requester& requester) {
      return run_job(std::move(request), requester);
    });
    handlers.add(kReload, [this](Reload, Requester& requester) -> Result<ReloadReport> {
      ReloadReport report;
      report.changed = {requester.by()};
      return report;
    });
  }

  DaemonStatus status() {
    ++status_requests;
    DaemonStatus status;
    status.version = std::string(kAnswerBytes, 'v');
    return status;
  }

  Async<Result<FollowedRun>> run_job(RunJob request, Requester& requester) {
    if (request.job == "bug") throw std::logic_error("a bug");
    co_await may_begin.wait(std::chrono::steady_clock::now() + begin_time);
    Run run;
    run.id = {"run"};
    requester.on_cancel([this, run] { cancelled.push_back(run.id.text); });
    requester.notify(to_frame(kRunBegun, run));
    PageReport page;
    page.error.message = std::string(kAnswerBytes, 'p');
    for (std::size_t i = 0; i < pages; ++i)
      if (!requester.is_behind()) requester.notify(to_frame(kPageDone, page));
    FollowedRun followed;
    followed.run = run;
    co_return followed;
  }

  VerbHandlers handlers;
  std::size_t status_requests = 0;
  std::size_t pages = 0;
  std::chrono::milliseconds begin_time{0};
  WakeSignal may_begin;
  std::vector<std::string> cancelled;
};

class ControlServerTest : public ::testing::Test {
 protected:
  void SetUp() override { serve(60s); }

  void serve(std::chrono::milliseconds handshake_timeout) {
    auto listening = ipc::listen_at(path_);
    ASSERT_TRUE(listening) << listening.error().message;
    server_ = std::make_unique<ControlServer>(
        loop_.get_executor(), std::move(*listening), daemon_.handlers,
        ControlServerOptions{"1.0", handshake_timeout, role_});
    asio::co_spawn(loop_, server_->serve(), rethrow_bug);
  }

  void TearDown() override {
    server_->close();
    do loop_.restart();
    while (loop_.poll() > 0);
  }

  FileDescriptor connect() {
    auto socket = ipc::connect_to(path_);
    EXPECT_TRUE(socket);
    return std::move(*socket);
  }

  // A client with a completed handshake.
  std::shared_ptr<ipc::Channel> connect_client() {
    auto channel = std::make_shared<ipc::Channel>(loop_.get_executor(), connect());
    bool has_shaken_hands = false;
    const auto shake_hands = [](ipc::Channel& to, bool& done) -> Async<void> {
      ipc::Handshake ours = ipc::make_handshake("command", "1.0");
      const auto theirs =
          co_await ipc::exchange_handshake(to, std::move(ours), Deadline::clock::now() + 30s);
      EXPECT_TRUE(theirs);
      done = true;
    };
    asio::co_spawn(loop_, shake_hands(*channel, has_shaken_hands), rethrow_bug);
    EXPECT_TRUE(run_until([&] { return has_shaken_hands; }));
    return channel;
  }

  static void ask(ipc::Channel& channel, std::uint16_t type, std::string body = {}) {
    channel.post({type, 1, std::move(body)});
  }

  // Reads until a frame of that type or the end.
  bool receives(ipc::Channel& channel, std::uint16_t type, std::size_t* others = nullptr) {
    std::optional<bool> has_come;
    const auto read = [](ipc::Channel& from, std::uint16_t wanted, std::optional<bool>& end,
                         std::size_t* before) -> Async<void> {
      while (true) {
        auto frame = co_await from.receive();
        if (!frame || frame->type == wanted) {
          end = static_cast<bool>(frame);
          co_return;
        }
        if (before != nullptr) ++*before;
      }
    };
    asio::co_spawn(loop_, read(channel, type, has_come, others), rethrow_bug);
    EXPECT_TRUE(run_until([&] { return has_come.has_value(); }));
    return has_come.value_or(false);
  }
  bool is_answered(ipc::Channel& channel, std::uint16_t type, std::size_t* others = nullptr) {
    return receives(channel, static_cast<std::uint16_t>(type | ipc::kReplyBit), others);
  }
  bool is_rejected(ipc::Channel& channel) { return !receives(channel, 0x7777); }

  bool serves_others() {
    const auto client = connect_client();
    ask(*client, kStatus.number, ipc::packed(Done{}));
    return is_answered(*client, kStatus.number);
  }

  static void send_bytes(const FileDescriptor& socket, std::string_view bytes) {
    EXPECT_EQ(send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }
  // Discards everything received before.
  static bool is_closed(const FileDescriptor& socket) {
    std::array<char, 4096> bytes{};
    ssize_t count = 1;
    while (count > 0) count = recv(socket.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    return count == 0 || errno == ECONNRESET;
  }

  template <class Condition>
  bool run_until(Condition condition) {
    const auto end = std::chrono::steady_clock::now() + 60s;
    while (!condition()) {
      if (std::chrono::steady_clock::now() > end) return false;
      loop_.restart();
      loop_.run_one_for(10ms);
    }
    return true;
  }

  heddle::testing::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "heddle.sock";
  asio::io_context loop_{1};
  Role role_ = Role::admin;
  FakeDaemon daemon_;
  std::unique_ptr<ControlServer> server_;
};

TEST_F(ControlServerTest, RejectsGarbage) {
  const FileDescriptor client = connect();
  send_bytes(client, std::string(4096, '\xff'));
  EXPECT_TRUE(run_until([&] { return is_closed(client); }));
  EXPECT_TRUE(serves_others());
}

TEST_F(ControlServerTest, RejectsAClientWithoutHandshake) {
  server_->close();
  path_ = folder_.path() / "impatient.sock";
  const auto first_server = std::exchange(server_, nullptr);
  serve(50ms);
  const FileDescriptor client = connect();
  EXPECT_TRUE(run_until([&] { return is_closed(client); }));
}

TEST_F(ControlServerTest, AnswersNoRequestBeforeTheHandshake) {
  ipc::Channel client(loop_.get_executor(), connect());
  ask(client, kStatus.number, ipc::packed(Done{}));
  EXPECT_TRUE(is_rejected(client));
  EXPECT_EQ(daemon_.status_requests, 0U);
}

TEST_F(ControlServerTest, RejectsAnUnknownMessage) {
  const auto client = connect_client();
  ask(*client, 999);
  EXPECT_TRUE(is_rejected(*client));
  EXPECT_TRUE(serves_others());
}

TEST_F(ControlServerTest, RejectsAMalformedRequest) {
  const auto client = connect_client();
  ask(*client, kRunJob.number, "\xff\xff\xff");
  EXPECT_TRUE(is_rejected(*client));
  EXPECT_TRUE(serves_others());
}

TEST_F(ControlServerTest, ServesOthersWhileAClientSentHalfAFrame) {
  const FileDescriptor silent = connect();
  send_bytes(silent, "HDL");
  EXPECT_TRUE(serves_others());
  {
    const FileDescriptor gone = connect();
    send_bytes(gone, "HDL");
  }
  EXPECT_TRUE(serves_others());
}

TEST_F(ControlServerTest, AnswersTwoHundredClientsAtOnce) {
  std::vector<std::shared_ptr<ipc::Channel>> clients;
  for (int i = 0; i < 200; ++i) clients.push_back(connect_client());
  for (const auto& client : clients) ask(*client, kStatus.number, ipc::packed(Done{}));
  for (const auto& client : clients) ASSERT_TRUE(is_answered(*client, kStatus.number));
  EXPECT_EQ(daemon_.status_requests, 200U);
}

TEST_F(ControlServerTest, BuffersABoundedNumberOfResponses) {
  const auto client = connect_client();
  EXPECT_TRUE(run_until([&] {
    ask(*client, kStatus.number, ipc::packed(Done{}));
    return !client->is_open();
  })) << "asked "
      << daemon_.status_requests << " times";
  // The kernel buffers some as well.
  EXPECT_LE(daemon_.status_requests, kMaxKept / kAnswerBytes + 64);
  EXPECT_TRUE(serves_others());
}

TEST_F(ControlServerTest, DropsPagesButNotTheEndForASlowClient) {
  daemon_.pages = 4 * kMaxKept / kAnswerBytes;
  const auto client = connect_client();
  ask(*client, kRunJob.number, ipc::packed(RunJob{"shop", "1"}));
  std::size_t heard = 0;
  EXPECT_TRUE(is_answered(*client, kRunJob.number, &heard));
  EXPECT_GT(heard, 1U);
  EXPECT_LE(heard, kMaxKept / kAnswerBytes + 64);
}

TEST_F(ControlServerTest, CancelsARunThatIsWithdrawnBeforeItBegins) {
  daemon_.begin_time = 60s;
  const auto client = connect_client();
  ask(*client, kRunJob.number, ipc::packed(RunJob{"shop", "1"}));
  client->post({kCancelRun.number, 0, ""});
  // Answered after the other two, so those have been read.
  client->post({kStatus.number, 2, ipc::packed(Done{})});
  EXPECT_TRUE(is_answered(*client, kStatus.number));
  EXPECT_TRUE(daemon_.cancelled.empty());
  daemon_.may_begin.notify();
  EXPECT_TRUE(is_answered(*client, kRunJob.number));
  EXPECT_THAT(daemon_.cancelled, ElementsAre("run"));
}

// The response to the request.
Result<ReloadReport> reload_as(const std::filesystem::path& socket) {
  auto client = ControlClient::connect(socket, "1.0");
  if (!client) return std::move(client).error();
  return (*client)->call(kReload, Reload{});
}

TEST_F(ControlServerTest, TellsHandlersWhichUserAsks) {
  auto response = std::async(std::launch::async, [this] { return reload_as(path_); });
  EXPECT_TRUE(run_until([&] { return response.wait_for(0s) == std::future_status::ready; }));
  const auto report = response.get();
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(report->changed, ElementsAre("cli:" + user_name(geteuid())));
}

TEST_F(ControlServerTest, RefusesAVerbThatNeedsAHigherRole) {
  server_->close();
  path_ = folder_.path() / "viewers.sock";
  const auto first_server = std::exchange(server_, nullptr);
  role_ = Role::viewer;
  serve(60s);
  auto response = std::async(std::launch::async, [this] { return reload_as(path_); });
  EXPECT_TRUE(run_until([&] { return response.wait_for(0s) == std::future_status::ready; }));
  const auto report = response.get();
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().message, HasSubstr("`reload` needs a role"));
  EXPECT_TRUE(serves_others());
}

TEST_F(ControlServerTest, PropagatesABug) {
  const auto client = connect_client();
  ask(*client, kRunJob.number, ipc::packed(RunJob{"bug", "1"}));
  EXPECT_THROW(run_until([] { return false; }), std::logic_error);
}

}  // namespace
}  // namespace heddle::control

#include "control/client.hpp"

#include <optional>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "base/drive.hpp"
#include "base/rethrow_bug.hpp"
#include "ipc/handshake.hpp"
#include "ipc/rpc_peer.hpp"
#include "ipc/unix_socket.hpp"

namespace heddle::control {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::seconds kHandshakeTimeout{10};

Error explained(const Error& why) {
  if (why.code == ErrorCode::timeout)
    return {why.code, "the daemon does not reply: it is suspended or very busy"};
  if (why.code == ErrorCode::unavailable) return {why.code, "the daemon has ended: " + why.message};
  return why;
}

}  // namespace

// Reads the socket for as long as it lives.
struct ControlClient::Connection {
  explicit Connection(FileDescriptor socket)
      : channel(std::make_shared<ipc::Channel>(loop.get_executor(), std::move(socket))),
        peer(channel) {}

  // Not before its reader has ended: the reader may use what the client's owner destroys next.
  ~Connection() {
    peer.close();
    loop.restart();
    while (is_reading) loop.run_one();
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  Status shake_hands(std::string build) {
    ipc::Handshake ours = ipc::make_handshake("command", std::move(build));
    const auto deadline = std::chrono::steady_clock::now() + kHandshakeTimeout;
    auto theirs = drive(loop, ipc::exchange_handshake(*channel, std::move(ours), deadline));
    return theirs ? Status(Done{}) : Status(std::move(theirs).error());
  }

  void read() {
    is_reading = true;
    ipc::RpcPeer::Handler handle = [this](const ipc::Frame& frame) {
      return on_notification ? on_notification(frame) : Status(Done{});
    };
    asio::co_spawn(loop, peer.run(std::move(handle)),
                   [this](const std::exception_ptr& bug, const Status& /*why*/) {
                     is_reading = false;
                     rethrow_bug(bug);
                   });
  }

  asio::io_context loop{1};
  std::shared_ptr<ipc::Channel> channel;
  ipc::RpcPeer peer;
  std::function<Status(const ipc::Frame&)> on_notification;
  bool is_reading = false;
};

Result<std::unique_ptr<ControlClient>> ControlClient::connect(const std::filesystem::path& socket,
                                                              std::string build) {
  auto connected = ipc::connect_to(socket);
  if (!connected) return std::move(connected).error();
  auto connection = std::make_unique<Connection>(std::move(*connected));
  auto agreed = connection->shake_hands(std::move(build));
  // A daemon that was killed this moment: a process it was about to start may still have held its
  // socket. Nothing was asked yet.
  if (!agreed && agreed.error().code == ErrorCode::unavailable)
    return Error{ErrorCode::not_found, "no process listens on the socket"};
  if (!agreed) return explained(agreed.error());
  connection->read();
  return std::unique_ptr<ControlClient>(new ControlClient(std::move(connection)));
}

ControlClient::ControlClient(std::unique_ptr<Connection> connection)
    : connection_(std::move(connection)) {}
ControlClient::~ControlClient() = default;

Result<std::string> ControlClient::exchange(ipc::Frame request, std::chrono::milliseconds timeout) {
  std::optional<Deadline> deadline;
  if (timeout != kNoTimeout) deadline = std::chrono::steady_clock::now() + timeout;
  auto reply = drive(connection_->loop, connection_->peer.call(std::move(request), deadline));
  if (!reply) return explained(reply.error());
  return std::move(reply->body);
}

void ControlClient::on_notification(std::function<Status(const ipc::Frame&)> handler) {
  connection_->on_notification = std::move(handler);
}

void ControlClient::post(ipc::Frame notification) {
  connection_->peer.post(std::move(notification));
}

asio::io_context& ControlClient::loop() {
  return connection_->loop;
}

}  // namespace heddle::control

#include "control/server.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <fmt/format.h>

#include "base/pause.hpp"
#include "base/rethrow_bug.hpp"
#include "ipc/handshake.hpp"
#include "ipc/rpc_peer.hpp"

namespace heddle::control {

namespace asio = boost::asio;

namespace {

// Requests are short; responses may be long, but a client that does not read them is not waited
// for.
constexpr ipc::ChannelLimits kLimits{.max_received = 1U << 20};
constexpr std::size_t kMaxUnread = 16U << 20;
constexpr std::chrono::milliseconds kDrainInterval{5};

std::string packed_error(ErrorCode code, std::string message) {
  return ipc::packed(Result<Done>(Error{code, std::move(message)}));
}

}  // namespace

// One connection. Lives until it is closed and its last request is answered.
class ControlServer::Session final : public Requester,
                                     public std::enable_shared_from_this<Session> {
 public:
  Session(const asio::any_io_executor& loop, FileDescriptor socket, const VerbHandlers& handlers,
          Role role)
      : loop_(loop),
        by_("cli:" + ipc::peer_user(socket)),
        channel_(std::make_shared<ipc::Channel>(loop, std::move(socket), kLimits)),
        peer_(channel_),
        handlers_(handlers),
        role_(role) {}

  // A response is being made, or is not with the kernel yet.
  [[nodiscard]] bool has_pending_response() const {
    return channel_->is_open() && (unanswered_ > 0 || channel_->waiting_bytes() > 0);
  }

  static Async<void> serve(std::shared_ptr<Session> self, ControlServerOptions options) {
    ipc::Handshake ours = ipc::make_handshake("daemon", std::move(options.build));
    const auto deadline = std::chrono::steady_clock::now() + options.handshake_timeout;
    const auto theirs =
        co_await ipc::exchange_handshake(*self->channel_, std::move(ours), deadline);
    if (!theirs) {
      (void)co_await self->channel_->flushed();  // the client learns why
      co_return;
    }
    ipc::RpcPeer::Handler handle = [&session = *self](const ipc::Frame& frame) {
      return session.handle(frame);
    };
    co_await self->peer_.run(std::move(handle));
  }

  [[nodiscard]] const std::string& by() const override { return by_; }
  void notify(ipc::Frame notification) override { peer_.post(std::move(notification)); }
  [[nodiscard]] bool is_behind() const override { return channel_->waiting_bytes() >= kMaxUnread; }
  void on_cancel(std::function<void()> cancel) override {
    cancel_ = std::move(cancel);
    if (is_cancelled_) cancel_();
  }

 private:
  Status handle(const ipc::Frame& frame) {
    if (is_behind())
      return Error{ErrorCode::unavailable, "it sends requests and does not read the replies"};
    if (frame.type == kCancelRun.number) {
      is_cancelled_ = true;
      if (cancel_) cancel_();
      return Done{};
    }
    const VerbHandlers::Handler* handler = handlers_.find(frame.type);
    if (handler == nullptr)
      return Error{ErrorCode::corrupt, fmt::format("a message of unknown type {}", frame.type)};
    if (role_ < handler->least_role) {
      reply(frame.type, frame.number,
            packed_error(
                ErrorCode::conflict,
                fmt::format("`{}` needs a role that this client does not have", handler->name)));
      return Done{};
    }
    // Before the next frame is read, which may withdraw this request.
    if (unanswered_ == 0) is_cancelled_ = false;
    auto response = handler->handle(frame, *this);
    if (!response) return std::move(response).error();
    ++unanswered_;
    asio::co_spawn(loop_,
                   respond(shared_from_this(), frame.type, frame.number, std::move(*response)),
                   rethrow_bug);
    return Done{};
  }

  static Async<void> respond(std::shared_ptr<Session> self, std::uint16_t type,
                             std::uint32_t number, Async<std::string> working) {
    auto response = co_await std::move(working);
    if (--self->unanswered_ == 0) self->cancel_ = nullptr;
    self->reply(type, number, std::move(response));
  }

  void reply(std::uint16_t type, std::uint32_t number, std::string body) {
    if (body.size() > channel_->max_frame())
      body = packed_error(ErrorCode::unavailable,
                          "it is done, but the daemon's report is too long to send");
    peer_.post_reply(number, ipc::Frame{type, 0, std::move(body)});
  }

  asio::any_io_executor loop_;
  const std::string by_;
  std::shared_ptr<ipc::Channel> channel_;
  ipc::RpcPeer peer_;
  const VerbHandlers& handlers_;
  const Role role_;
  std::function<void()> cancel_;  // of the run it follows
  bool is_cancelled_ = false;
  std::size_t unanswered_ = 0;
};

ControlServer::ControlServer(asio::any_io_executor loop, FileDescriptor listening,
                             const VerbHandlers& handlers, ControlServerOptions options)
    : loop_(std::move(loop)),
      acceptor_(std::in_place, loop_, std::move(listening)),
      handlers_(handlers),
      options_(std::move(options)) {}

ControlServer::~ControlServer() = default;

void ControlServer::close() {
  is_closed_ = true;
  acceptor_->close();
}

void ControlServer::move_to(FileDescriptor listening) {
  acceptor_.emplace(loop_, std::move(listening));  // ends the serve() of the previous socket
  asio::co_spawn(loop_, serve(), rethrow_bug);
}

bool ControlServer::has_pending_responses() const {
  return std::any_of(sessions_.begin(), sessions_.end(), [](const auto& session) {
    const auto open = session.lock();
    return open && open->has_pending_response();
  });
}

Async<void> ControlServer::drain(Deadline deadline) {
  while (has_pending_responses() && std::chrono::steady_clock::now() < deadline) {
    co_await pause_for(kDrainInterval);
  }
}

Async<void> ControlServer::serve() {
  while (true) {
    auto socket = co_await acceptor_->accept();
    if (!socket) co_return;
    auto session = std::make_shared<Session>(loop_, std::move(*socket), handlers_, options_.role);
    std::erase_if(sessions_, [](const auto& closed) { return closed.expired(); });
    sessions_.push_back(session);
    asio::co_spawn(loop_, Session::serve(std::move(session), options_), rethrow_bug);
  }
}

}  // namespace heddle::control

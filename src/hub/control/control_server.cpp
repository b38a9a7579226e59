#include "hub/control/control_server.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <fmt/format.h>

#include "base/pause.hpp"
#include "base/rethrow_bug.hpp"
#include "ipc/handshake.hpp"
#include "ipc/messages/control_message_values.hpp"
#include "ipc/messages/decode_frame.hpp"
#include "ipc/rpc_peer.hpp"

namespace heddle::hub {

namespace asio = boost::asio;
using ipc::ControlMessage;

namespace {

// Requests are short. Responses may be long, but a client that does not read them is not waited
// for.
constexpr ipc::ChannelLimits kLimits{.max_received = 1U << 20};
constexpr std::size_t kMaxUnread = 16U << 20;
constexpr std::chrono::milliseconds kPollInterval{5};  // of drain()

}  // namespace

// One connection. Exists until it is closed and its last request is answered.
class ControlServer::ControlSession final : public RunObserver,
                                            public std::enable_shared_from_this<ControlSession> {
 public:
  ControlSession(const asio::any_io_executor& loop, FileDescriptor socket, ControlService& service)
      : loop_(loop),
        channel_(std::make_shared<ipc::Channel>(loop, std::move(socket), kLimits)),
        peer_(channel_),
        service_(service) {}

  // A response is being prepared, or has not reached the kernel yet.
  [[nodiscard]] bool has_pending_response() const {
    return peer_.is_open() && (pending_ > 0 || peer_.waiting_bytes() > 0);
  }

  static Async<void> run(std::shared_ptr<ControlSession> self, std::string build,
                         std::chrono::milliseconds handshake_timeout) {
    ipc::Handshake ours = ipc::make_handshake("daemon", std::move(build));
    const auto by = std::chrono::steady_clock::now() + handshake_timeout;
    const auto theirs = co_await ipc::exchange_handshake(*self->channel_, std::move(ours), by);
    if (!theirs) {
      (void)co_await self->channel_->flushed();  // the client learns why
      co_return;
    }
    ipc::RpcPeer::Handler handle = [&session = *self](const ipc::Frame& frame) {
      return session.handle(frame);
    };
    co_await self->peer_.run(std::move(handle));
  }

  // A slow client misses pages, never the end.
  void page(const PageReport& page) override {
    if (sends_pages_ && peer_.waiting_bytes() < kMaxUnread)
      peer_.post(ipc::to_frame(ControlMessage::page, page));
  }

 private:
  Status handle(const ipc::Frame& frame) {
    if (peer_.waiting_bytes() >= kMaxUnread)
      return Error{ErrorCode::unavailable, "it asks and does not read the answers"};
    switch (static_cast<ControlMessage>(frame.type)) {
      case ControlMessage::get_status:
        return answer(frame, Result<ipc::DaemonStatus>(service_.status()));
      case ControlMessage::get_metrics:
        return answer(frame, Result<ipc::MetricsText>(service_.metrics()));
      case ControlMessage::restart_worker: {
        auto wanted = ipc::decode_frame<ipc::RestartWorker>(frame);
        if (!wanted) return std::move(wanted).error();
        return answer(frame, service_.restart_worker(wanted->number));
      }
      case ControlMessage::run_job: {
        auto wanted = ipc::decode_frame<ipc::RunJob>(frame);
        if (!wanted) return std::move(wanted).error();
        is_cancelled_ = false;  // the next frame may cancel it
        asio::co_spawn(loop_, run_job(shared_from_this(), frame.number, std::move(*wanted)),
                       rethrow_bug);
        return Done{};
      }
      case ControlMessage::act_on_jobs: {
        auto wanted = ipc::decode_frame<ipc::ActOnJobs>(frame);
        if (!wanted) return std::move(wanted).error();
        return answer_later(frame, service_.act(std::move(*wanted)));
      }
      case ControlMessage::reload: {
        auto wanted = ipc::decode_frame<ipc::Reload>(frame);
        if (!wanted) return std::move(wanted).error();
        return answer_later(frame, service_.reload(wanted->dry_run));
      }
      case ControlMessage::act_on_dead_letters: {
        auto wanted = ipc::decode_frame<ipc::ActOnDeadLetters>(frame);
        if (!wanted) return std::move(wanted).error();
        return answer_later(frame, service_.act_on_dead_letters(std::move(*wanted)));
      }
      case ControlMessage::cancel_run:
        is_cancelled_ = true;
        if (run_) service_.cancel(*run_);
        return Done{};
      default:
        return Error{ErrorCode::corrupt, fmt::format("a message of unknown type {}", frame.type)};
    }
  }

  template <class T>
  Status answer(const ipc::Frame& question, const Result<T>& result) {
    peer_.post_reply(question.number, ipc::Frame{question.type, 0, ipc::packed(result)});
    return Done{};
  }

  template <class T>
  Status answer_later(const ipc::Frame& question, Async<Result<T>> result) {
    asio::co_spawn(
        loop_, send_result(shared_from_this(), question.type, question.number, std::move(result)),
        rethrow_bug);
    return Done{};
  }

  template <class T>
  static Async<void> send_result(std::shared_ptr<ControlSession> self, std::uint16_t type,
                                 std::uint32_t number, Async<Result<T>> result) {
    ++self->pending_;
    const auto value = co_await std::move(result);
    --self->pending_;
    ipc::Frame reply;
    reply.type = type;
    reply.body = ipc::packed(value);
    self->peer_.post_reply(number, std::move(reply));
  }

  static Async<void> run_job(std::shared_ptr<ControlSession> self, std::uint32_t number,
                             ipc::RunJob wanted) {
    auto on_begun = [&session = *self](const Run& run) {
      session.run_ = run.id;
      if (session.is_cancelled_) session.service_.cancel(run.id);  // requested before it began
      session.peer_.post(ipc::to_frame(ControlMessage::run_begun, run));
    };
    ++self->pending_;
    self->sends_pages_ = wanted.follow_pages;
    auto ended = co_await self->service_.run_job(std::move(wanted), *self, std::move(on_begun));
    --self->pending_;
    self->run_.reset();
    ipc::Frame reply;
    reply.type = static_cast<std::uint16_t>(ControlMessage::run_job);
    reply.body = ipc::packed(ended);
    if (reply.body.size() > self->channel_->max_frame())
      reply.body = ipc::packed(Result<ipc::FollowedRun>(
          Error{ErrorCode::unavailable, "the run has ended, but its report is too long to send"}));
    self->peer_.post_reply(number, std::move(reply));
  }

  asio::any_io_executor loop_;
  std::shared_ptr<ipc::Channel> channel_;
  ipc::RpcPeer peer_;
  ControlService& service_;
  std::optional<RunId> run_;  // that it observes
  bool sends_pages_ = true;
  bool is_cancelled_ = false;
  std::size_t pending_ = 0;
};

ControlServer::ControlServer(asio::any_io_executor loop, FileDescriptor listening,
                             ControlService& service, std::string build,
                             std::chrono::milliseconds handshake_timeout)
    : loop_(std::move(loop)),
      acceptor_(std::in_place, loop_, std::move(listening)),
      service_(service),
      build_(std::move(build)),
      handshake_timeout_(handshake_timeout) {}

ControlServer::~ControlServer() = default;

void ControlServer::close() {
  is_closed_ = true;
  acceptor_->close();
}

void ControlServer::move_to(FileDescriptor listening) {
  acceptor_.emplace(loop_, std::move(listening));  // ends serve() on the old socket
  asio::co_spawn(loop_, serve(), rethrow_bug);
}

bool ControlServer::has_pending_responses() const {
  return std::any_of(sessions_.begin(), sessions_.end(), [](const auto& session) {
    const auto live = session.lock();
    return live && live->has_pending_response();
  });
}

Async<void> ControlServer::drain(Deadline deadline) {
  while (has_pending_responses() && std::chrono::steady_clock::now() < deadline) {
    co_await pause_for(kPollInterval);
  }
}

Async<void> ControlServer::serve() {
  while (true) {
    auto socket = co_await acceptor_->accept();
    if (!socket) co_return;
    auto session = std::make_shared<ControlSession>(loop_, std::move(*socket), service_);
    std::erase_if(sessions_, [](const auto& left) { return left.expired(); });
    sessions_.push_back(session);
    asio::co_spawn(loop_, ControlSession::run(std::move(session), build_, handshake_timeout_),
                   rethrow_bug);
  }
}

}  // namespace heddle::hub

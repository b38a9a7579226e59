#include "hub/control_server.hpp"

#include <optional>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <fmt/format.h>

#include "ipc/caller.hpp"
#include "ipc/messages/control_message_values.hpp"

namespace heddle::hub {

namespace asio = boost::asio;
using ipc::ControlMessage;

namespace {

// Commands are short; nobody sends us more than this.
constexpr ipc::ChannelLimits kLimits{.max_frame = 1U << 20, .max_waiting = 4U << 20};

}  // namespace

// One connection. Lives until it is closed and its last question is answered.
class ControlServer::Visitor final : public RunFollower,
                                     public std::enable_shared_from_this<Visitor> {
 public:
  Visitor(const asio::any_io_executor& loop, FileDescriptor socket, ControlService& service)
      : loop_(loop),
        caller_(std::make_shared<ipc::Channel>(loop, std::move(socket), kLimits)),
        service_(service) {}

  static Async<void> stay(std::shared_ptr<Visitor> self) {
    ipc::Caller::Handler handle = [&visitor = *self](const ipc::Frame& frame) {
      return visitor.handle(frame);
    };
    co_await self->caller_.run(std::move(handle));
  }

  void page(const PageReport& page) override {
    caller_.post(ipc::to_frame(ControlMessage::page, page));
  }

 private:
  Status handle(const ipc::Frame& frame) {
    switch (static_cast<ControlMessage>(frame.type)) {
      case ControlMessage::get_status:
        return answer(frame, Result<ipc::DaemonStatus>(service_.status()));
      case ControlMessage::restart_worker: {
        auto wanted = ipc::unpacked<ipc::RestartWorker>(frame.body);
        if (!wanted) return std::move(wanted).error();
        return answer(frame, service_.restart_worker(wanted->number));
      }
      case ControlMessage::run_job: {
        auto wanted = ipc::unpacked<ipc::RunJob>(frame.body);
        if (!wanted) return std::move(wanted).error();
        asio::co_spawn(loop_, run_job(shared_from_this(), frame.number, std::move(*wanted)),
                       asio::detached);
        return Done{};
      }
      case ControlMessage::cancel_run:
        if (run_) service_.cancel(*run_);
        return Done{};
      default:
        return Error{ErrorCode::corrupt, fmt::format("a message of unknown type {}", frame.type)};
    }
  }

  template <class T>
  Status answer(const ipc::Frame& question, const Result<T>& result) {
    caller_.post_answer(question.number, ipc::Frame{question.type, 0, ipc::packed(result)});
    return Done{};
  }

  static Async<void> run_job(std::shared_ptr<Visitor> self, std::uint32_t number,
                             ipc::RunJob wanted) {
    auto on_begun = [&visitor = *self](const Run& run) {
      visitor.run_ = run.id;
      visitor.caller_.post(ipc::to_frame(ControlMessage::run_begun, run));
    };
    auto ended = co_await self->service_.run_job(std::move(wanted), *self, std::move(on_begun));
    self->run_.reset();
    ipc::Frame reply;
    reply.type = static_cast<std::uint16_t>(ControlMessage::run_job);
    reply.body = ipc::packed(ended);
    self->caller_.post_answer(number, std::move(reply));
  }

  asio::any_io_executor loop_;
  ipc::Caller caller_;
  ControlService& service_;
  std::optional<RunId> run_;  // that it follows
};

ControlServer::ControlServer(asio::any_io_executor loop, FileDescriptor listening,
                             ControlService& service, Log& log)
    : loop_(loop), door_(std::move(loop), std::move(listening)), service_(service), log_(log) {}

ControlServer::~ControlServer() = default;

void ControlServer::close() {
  door_.close();
}

Async<void> ControlServer::serve() {
  while (true) {
    auto socket = co_await door_.let_in();
    if (!socket) co_return;
    auto visitor = std::make_shared<Visitor>(loop_, std::move(*socket), service_);
    asio::co_spawn(loop_, Visitor::stay(std::move(visitor)), asio::detached);
  }
}

}  // namespace heddle::hub

#include "hub/control_server.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <fmt/format.h>

#include "base/pause.hpp"
#include "base/rethrow_bug.hpp"
#include "ipc/caller.hpp"
#include "ipc/messages/control_message_values.hpp"
#include "ipc/messages/take.hpp"
#include "ipc/version.hpp"

namespace heddle::hub {

namespace asio = boost::asio;
using ipc::ControlMessage;

namespace {

// Questions are short; answers may be long, but who does not read them is not waited for.
constexpr ipc::ChannelLimits kLimits{.max_received = 1U << 20};
constexpr std::size_t kMaxUnread = 16U << 20;
constexpr std::chrono::milliseconds kLook{5};  // between looks at who still waits

}  // namespace

// One connection. Lives until it is closed and its last question is answered.
class ControlServer::Visitor final : public RunFollower,
                                     public std::enable_shared_from_this<Visitor> {
 public:
  Visitor(const asio::any_io_executor& loop, FileDescriptor socket, ControlService& service)
      : loop_(loop),
        channel_(std::make_shared<ipc::Channel>(loop, std::move(socket), kLimits)),
        caller_(channel_),
        service_(service) {}

  // For an answer that is being found, or is not with the kernel yet.
  [[nodiscard]] bool is_waiting() const {
    return caller_.is_open() && (unanswered_ > 0 || caller_.waiting_bytes() > 0);
  }

  static Async<void> stay(std::shared_ptr<Visitor> self, std::string build,
                          std::chrono::milliseconds hello_time) {
    ipc::Hello ours = ipc::make_hello("daemon", std::move(build));
    const auto by = std::chrono::steady_clock::now() + hello_time;
    const auto theirs = co_await ipc::exchange_hello(*self->channel_, std::move(ours), by);
    if (!theirs) {
      (void)co_await self->channel_->flushed();  // it is to know why
      co_return;
    }
    ipc::Caller::Handler handle = [&visitor = *self](const ipc::Frame& frame) {
      return visitor.handle(frame);
    };
    co_await self->caller_.run(std::move(handle));
  }

  // Who does not keep up misses pages, never the end.
  void page(const PageReport& page) override {
    if (follows_pages_ && caller_.waiting_bytes() < kMaxUnread)
      caller_.post(ipc::to_frame(ControlMessage::page, page));
  }

 private:
  Status handle(const ipc::Frame& frame) {
    if (caller_.waiting_bytes() >= kMaxUnread)
      return Error{ErrorCode::unavailable, "it asks and does not read the answers"};
    switch (static_cast<ControlMessage>(frame.type)) {
      case ControlMessage::get_status:
        return answer(frame, Result<ipc::DaemonStatus>(service_.status()));
      case ControlMessage::get_metrics:
        return answer(frame, Result<ipc::MetricsText>(service_.metrics()));
      case ControlMessage::restart_worker: {
        auto wanted = ipc::content_of<ipc::RestartWorker>(frame);
        if (!wanted) return std::move(wanted).error();
        return answer(frame, service_.restart_worker(wanted->number));
      }
      case ControlMessage::run_job: {
        auto wanted = ipc::content_of<ipc::RunJob>(frame);
        if (!wanted) return std::move(wanted).error();
        is_cancelled_ = false;  // what comes behind this frame may take it back at once
        asio::co_spawn(loop_, run_job(shared_from_this(), frame.number, std::move(*wanted)),
                       rethrow_bug);
        return Done{};
      }
      case ControlMessage::act_on_jobs: {
        auto wanted = ipc::content_of<ipc::ActOnJobs>(frame);
        if (!wanted) return std::move(wanted).error();
        return answer_later(frame, service_.act(std::move(*wanted)));
      }
      case ControlMessage::reload: {
        auto wanted = ipc::content_of<ipc::Reload>(frame);
        if (!wanted) return std::move(wanted).error();
        return answer_later(frame, service_.reload(wanted->is_trial));
      }
      case ControlMessage::act_on_letters: {
        auto wanted = ipc::content_of<ipc::ActOnLetters>(frame);
        if (!wanted) return std::move(wanted).error();
        return answer_later(frame, service_.act_on_letters(std::move(*wanted)));
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
    caller_.post_answer(question.number, ipc::Frame{question.type, 0, ipc::packed(result)});
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
  static Async<void> send_result(std::shared_ptr<Visitor> self, std::uint16_t type,
                                 std::uint32_t number, Async<Result<T>> result) {
    ++self->unanswered_;
    const auto value = co_await std::move(result);
    --self->unanswered_;
    ipc::Frame reply;
    reply.type = type;
    reply.body = ipc::packed(value);
    self->caller_.post_answer(number, std::move(reply));
  }

  static Async<void> run_job(std::shared_ptr<Visitor> self, std::uint32_t number,
                             ipc::RunJob wanted) {
    auto on_begun = [&visitor = *self](const Run& run) {
      visitor.run_ = run.id;
      if (visitor.is_cancelled_) visitor.service_.cancel(run.id);  // asked for before it began
      visitor.caller_.post(ipc::to_frame(ControlMessage::run_begun, run));
    };
    ++self->unanswered_;
    self->follows_pages_ = wanted.follows_pages;
    auto ended = co_await self->service_.run_job(std::move(wanted), *self, std::move(on_begun));
    --self->unanswered_;
    self->run_.reset();
    ipc::Frame reply;
    reply.type = static_cast<std::uint16_t>(ControlMessage::run_job);
    reply.body = ipc::packed(ended);
    if (reply.body.size() > self->channel_->max_frame())
      reply.body = ipc::packed(Result<ipc::FollowedRun>(
          Error{ErrorCode::unavailable, "the run has ended, but its report is too long to send"}));
    self->caller_.post_answer(number, std::move(reply));
  }

  asio::any_io_executor loop_;
  std::shared_ptr<ipc::Channel> channel_;
  ipc::Caller caller_;
  ControlService& service_;
  std::optional<RunId> run_;  // that it follows
  bool follows_pages_ = true;
  bool is_cancelled_ = false;
  std::size_t unanswered_ = 0;
};

ControlServer::ControlServer(asio::any_io_executor loop, FileDescriptor listening,
                             ControlService& service, std::string build,
                             std::chrono::milliseconds hello_time)
    : loop_(std::move(loop)),
      door_(std::in_place, loop_, std::move(listening)),
      service_(service),
      build_(std::move(build)),
      hello_time_(hello_time) {}

ControlServer::~ControlServer() = default;

void ControlServer::close() {
  is_closed_ = true;
  door_->close();
}

void ControlServer::move_to(FileDescriptor listening) {
  door_.emplace(loop_, std::move(listening));  // who served at the former one ends
  asio::co_spawn(loop_, serve(), rethrow_bug);
}

bool ControlServer::is_anybody_waiting() const {
  return std::any_of(visitors_.begin(), visitors_.end(), [](const auto& visitor) {
    const auto there = visitor.lock();
    return there && there->is_waiting();
  });
}

Async<void> ControlServer::answered(Deadline deadline) {
  while (is_anybody_waiting() && std::chrono::steady_clock::now() < deadline) {
    co_await pause_for(kLook);
  }
}

Async<void> ControlServer::serve() {
  while (true) {
    auto socket = co_await door_->let_in();
    if (!socket) co_return;
    auto visitor = std::make_shared<Visitor>(loop_, std::move(*socket), service_);
    std::erase_if(visitors_, [](const auto& left) { return left.expired(); });
    visitors_.push_back(visitor);
    asio::co_spawn(loop_, Visitor::stay(std::move(visitor), build_, hello_time_), rethrow_bug);
  }
}

}  // namespace heddle::hub

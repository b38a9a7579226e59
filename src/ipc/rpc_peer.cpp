#include "ipc/rpc_peer.hpp"

#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

namespace heddle::ipc {

namespace asio = boost::asio;

namespace {

// Bounds our memory when the other side never replies.
constexpr std::size_t kMaxPendingCalls = 100'000;

Error unavailable(std::string message) {
  return {ErrorCode::unavailable, std::move(message)};
}

Frame checked_type(Frame frame) {
  if ((frame.type & kReplyBit) != 0) throw std::invalid_argument("ipc: a type has the answer bit");
  return frame;
}

Frame as_reply(std::uint32_t number, Frame frame) {
  frame = checked_type(std::move(frame));
  frame.type |= kReplyBit;
  frame.number = number;
  return frame;
}

Frame as_notification(Frame frame) {
  frame = checked_type(std::move(frame));
  frame.number = 0;
  return frame;
}

}  // namespace

class RpcPeer::State {
 public:
  explicit State(std::shared_ptr<Channel> channel) : channel_(std::move(channel)) {}

  // These two share ownership of the state: the peer may be destroyed while they wait.
  static Async<Result<Frame>> call(std::shared_ptr<State> self, Frame request,
                                   std::optional<Deadline> deadline);
  static Async<Status> run(std::shared_ptr<State> self, Receive receive, Handler handler);

  void end(const std::string& reason);
  [[nodiscard]] Channel& channel() { return *channel_; }
  [[nodiscard]] std::shared_ptr<Channel> shared_channel() const { return channel_; }
  [[nodiscard]] std::size_t pending_calls() const { return pending_.size(); }

 private:
  // Owned by the coroutine of call(); listed in pending_ until it is replied to or destroyed.
  struct PendingCall {
    PendingCall(State& state, std::uint32_t own_number, asio::steady_timer timer)
        : owner(state), number(own_number), alarm(std::move(timer)) {
      owner.pending_.emplace(number, this);
    }
    ~PendingCall() {
      if (!reply) owner.pending_.find(number)->second = nullptr;
    }
    PendingCall(const PendingCall&) = delete;
    PendingCall& operator=(const PendingCall&) = delete;

    void complete(Result<Frame> result) {
      reply = std::move(result);
      alarm.cancel();
    }

    State& owner;
    std::uint32_t number;
    asio::steady_timer alarm;
    std::optional<Result<Frame>> reply;
  };

  struct EndOfRun {  // also when run() is cancelled: no call may wait without a receiver
    explicit EndOfRun(State& state) : owner(state) {}
    ~EndOfRun() { owner.end("answers are no longer received"); }
    EndOfRun(const EndOfRun&) = delete;
    EndOfRun& operator=(const EndOfRun&) = delete;
    State& owner;
  };

  std::uint32_t next_number();
  Status dispatch(Frame frame, const Handler& handler);

  std::shared_ptr<Channel> channel_;
  std::unordered_map<std::uint32_t, PendingCall*> pending_;  // nullptr: abandoned
  std::uint32_t last_number_ = 0;
  bool has_run_ = false;
};

std::uint32_t RpcPeer::State::next_number() {
  do {
    ++last_number_;
  } while (last_number_ == 0 || pending_.contains(last_number_));
  return last_number_;
}

// Posts rather than sends: a coroutine has one request in flight, and the deadline covers all of
// the waiting.
Async<Result<Frame>> RpcPeer::State::call(std::shared_ptr<State> self, Frame request,
                                          std::optional<Deadline> deadline) {
  if (request.body.size() > self->channel_->max_frame())
    co_return Error{ErrorCode::bad_input,
                    "a request of " + std::to_string(request.body.size()) + " bytes is too long"};
  if (self->pending_.size() >= kMaxPendingCalls)
    co_return unavailable("too many requests are unanswered");
  const std::uint32_t number = self->next_number();
  request.number = number;
  if (!self->channel_->post(std::move(request))) co_return unavailable("the channel is closed");

  asio::steady_timer alarm(co_await asio::this_coro::executor, deadline.value_or(Deadline::max()));
  const auto pending_call = std::make_unique<PendingCall>(*self, number, std::move(alarm));
  co_await pending_call->alarm.async_wait(asio::as_tuple(asio::use_awaitable));
  const auto cancellation = co_await asio::this_coro::cancellation_state;
  if (cancellation.cancelled() != asio::cancellation_type::none)
    throw boost::system::system_error(asio::error::operation_aborted);
  if (!pending_call->reply) co_return Error{ErrorCode::timeout, "no reply came in time"};
  co_return *std::move(pending_call->reply);
}

Async<Status> RpcPeer::State::run(std::shared_ptr<State> self, Receive receive, Handler handler) {
  if (std::exchange(self->has_run_, true)) co_return Error{ErrorCode::bug, "it is already running"};
  const EndOfRun end_of_run(*self);
  for (;;) {
    auto frame = co_await receive();
    Status status = frame ? self->dispatch(*std::move(frame), handler) : Status(frame.error());
    if (status) continue;
    self->end(status.error().message);
    co_return std::move(status).error();
  }
}

Status RpcPeer::State::dispatch(Frame frame, const Handler& handler) {
  if ((frame.type & kReplyBit) == 0) return handler(std::move(frame));
  const auto found = pending_.find(frame.number);
  if (found == pending_.end())
    return Error{ErrorCode::corrupt, "a reply came to request " + std::to_string(frame.number) +
                                         ", which was not sent or is answered already"};
  PendingCall* pending_call = found->second;
  pending_.erase(found);
  frame.type &= static_cast<std::uint16_t>(~kReplyBit);
  if (pending_call != nullptr) pending_call->complete(std::move(frame));
  return Done{};
}

void RpcPeer::State::end(const std::string& reason) {
  channel_->close();
  const auto pending = std::exchange(pending_, {});
  for (const auto& [number, pending_call] : pending)
    if (pending_call != nullptr) pending_call->complete(unavailable(reason));
}

RpcPeer::RpcPeer(std::shared_ptr<Channel> channel)
    : state_(std::make_shared<State>(std::move(channel))) {}

RpcPeer::~RpcPeer() {
  close();
}

Async<Result<Frame>> RpcPeer::call(Frame request, std::optional<Deadline> deadline) {
  return State::call(state_, checked_type(std::move(request)), deadline);
}

bool RpcPeer::post_reply(std::uint32_t number, Frame reply) {
  if (number == 0) return is_open();
  return state_->channel().post(as_reply(number, std::move(reply)));
}

Async<Status> RpcPeer::notify(Frame notification) {
  return state_->channel().send(as_notification(std::move(notification)));
}

bool RpcPeer::post(Frame notification) {
  return state_->channel().post(as_notification(std::move(notification)));
}

Async<Status> RpcPeer::run(Handler handler) {
  return run([channel = state_->shared_channel()] { return channel->receive(); },
             std::move(handler));
}

Async<Status> RpcPeer::run(Receive receive, Handler handler) {
  return State::run(state_, std::move(receive), std::move(handler));
}

void RpcPeer::close() {
  state_->end("the channel was closed");
}

bool RpcPeer::is_open() const {
  return state_->channel().is_open();
}

std::size_t RpcPeer::pending_calls() const {
  return state_->pending_calls();
}

}  // namespace heddle::ipc

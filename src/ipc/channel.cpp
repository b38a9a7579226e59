#include "ipc/channel.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <sys/socket.h>

#include "ipc/frame_buffers.hpp"

namespace heddle::ipc {

namespace asio = boost::asio;

namespace {

// Sent immediately; less waits for the next loop iteration, so that small frames are batched.
constexpr std::size_t kFlushThreshold = 64UL << 10;
constexpr std::size_t kPiecesPerCall = 64;
// Several large bodies, so that two processes need not alternate.
constexpr int kSocketBufferBytes = 512 << 10;

Error unavailable(std::string message) {
  return {ErrorCode::unavailable, std::move(message)};
}

// Reports cancellation the way Asio's own operations do.
void throw_if_cancelled(const asio::cancellation_state& state) {
  if (state.cancelled() != asio::cancellation_type::none)
    throw boost::system::system_error(asio::error::operation_aborted);
}

}  // namespace

class Channel::State : public std::enable_shared_from_this<Channel::State> {
 public:
  State(asio::any_io_executor executor, FileDescriptor socket, ChannelLimits limits);

  // These share ownership of the state: the channel may be destroyed while they wait.
  static Async<Status> send(std::shared_ptr<State> self, Frame frame);
  static Async<Result<Frame>> receive(std::shared_ptr<State> self);
  static Async<Status> flushed(std::shared_ptr<State> self);
  bool post(Frame frame);
  void end(Error reason);

  [[nodiscard]] bool can_send() const { return !end_ && !is_receiver_gone_; }
  [[nodiscard]] std::size_t waiting_bytes() const { return queue_.bytes(); }
  [[nodiscard]] std::size_t max_frame() const { return limits_.max_frame; }

 private:
  struct ReceivingMark {
    explicit ReceivingMark(State& state) : state_(state) { state_.is_receiving_ = true; }
    ~ReceivingMark() { state_.is_receiving_ = false; }
    ReceivingMark(const ReceivingMark&) = delete;
    ReceivingMark& operator=(const ReceivingMark&) = delete;

   private:
    State& state_;
  };

  [[nodiscard]] Error close_reason() const {
    return end_ ? *end_ : unavailable("the other side has closed the channel");
  }
  void end_by(const boost::system::error_code& error);
  void enqueue(Frame frame);
  void flush_soon();
  void flush();
  ssize_t send_pieces();
  void wait_until_writable();
  void mark_receiver_gone();

  ChannelLimits limits_;
  asio::any_io_executor executor_;
  asio::local::stream_protocol::socket socket_;
  FrameReader reader_;
  FrameQueue queue_;
  asio::steady_timer drained_;  // never expires; cancelled to wake waiting senders
  asio::steady_timer emptied_;  // likewise, wakes flushed()
  bool is_flush_due_ = false;
  bool is_waiting_until_writable_ = false;
  bool is_receiving_ = false;
  bool is_receiver_gone_ = false;  // frames it sent before can still be received
  std::optional<Error> end_;       // set once: why the channel is closed
};

Channel::State::State(asio::any_io_executor executor, FileDescriptor socket, ChannelLimits limits)
    : limits_(limits),
      executor_(std::move(executor)),
      socket_(executor_),
      reader_(std::min(limits.max_received, kMaxFrameBytes)),
      drained_(executor_, asio::steady_timer::time_point::max()),
      emptied_(executor_, asio::steady_timer::time_point::max()) {
  limits_.max_frame = std::min(limits.max_frame, kMaxFrameBytes);
  boost::system::error_code error;
  socket_.assign(asio::local::stream_protocol(), socket.get(), error);
  if (error)
    end_ = unavailable("the socket cannot be used: " + error.message());
  else
    static_cast<void>(socket.release());
}

Async<Status> Channel::State::send(std::shared_ptr<State> self, Frame frame) {
  if (frame.body.size() > self->limits_.max_frame)
    co_return Error{ErrorCode::bad_input,
                    "a message of " + std::to_string(frame.body.size()) + " bytes is too long"};
  if (!self->can_send()) co_return self->close_reason();
  self->enqueue(std::move(frame));
  if (self->can_send() && self->queue_.bytes() > self->limits_.max_waiting) {
    co_await self->drained_.async_wait(asio::as_tuple(asio::use_awaitable));
    throw_if_cancelled(co_await asio::this_coro::cancellation_state);
  }
  if (!self->can_send()) co_return self->close_reason();
  co_return Done{};
}

Async<Status> Channel::State::flushed(std::shared_ptr<State> self) {
  while (self->can_send() && !self->queue_.empty()) {
    co_await self->emptied_.async_wait(asio::as_tuple(asio::use_awaitable));
    throw_if_cancelled(co_await asio::this_coro::cancellation_state);
  }
  if (!self->can_send()) co_return self->close_reason();
  co_return Done{};
}

bool Channel::State::post(Frame frame) {
  if (frame.body.size() > limits_.max_frame) throw std::length_error("ipc: a notice is too long");
  if (!can_send()) return false;
  enqueue(std::move(frame));
  return can_send();
}

Async<Result<Frame>> Channel::State::receive(std::shared_ptr<State> self) {
  if (self->is_receiving_) co_return Error{ErrorCode::bug, "another receiver is active"};
  const ReceivingMark mark(*self);
  while (!self->end_) {
    auto frame = self->reader_.next();
    if (frame && *frame) co_return std::move(**frame);
    if (!frame) {
      self->end(std::move(frame).error());
      break;
    }
    const auto [first, second] = self->reader_.prepare();
    const std::array<asio::mutable_buffer, 2> buffers{asio::buffer(first.data(), first.size()),
                                                      asio::buffer(second.data(), second.size())};
    const auto [error, count] =
        co_await self->socket_.async_receive(buffers, asio::as_tuple(asio::use_awaitable));
    self->reader_.commit(count);  // also when cancelled: the next receiver needs them
    throw_if_cancelled(co_await asio::this_coro::cancellation_state);
    if (error) self->end_by(error);
  }
  co_return *self->end_;
}

void Channel::State::end_by(const boost::system::error_code& error) {
  // A process that dies with unread frames resets the connection.
  const bool has_closed = error == asio::error::eof || error == asio::error::connection_reset;
  if (!has_closed) return end(unavailable("receiving failed: " + error.message()));
  end(unavailable(reader_.is_inside_frame()
                      ? "the other side has closed the channel in the middle of a message"
                      : "the other side has closed the channel"));
}

void Channel::State::end(Error reason) {
  if (end_) return;
  end_ = std::move(reason);
  boost::system::error_code ignored;
  socket_.close(ignored);
  queue_.clear();
  drained_.cancel();
  emptied_.cancel();
}

void Channel::State::enqueue(Frame frame) {
  queue_.add(std::move(frame));
  if (is_waiting_until_writable_) return;
  if (queue_.bytes() < kFlushThreshold) return flush_soon();
  flush();
}

void Channel::State::flush_soon() {
  if (is_flush_due_) return;
  is_flush_due_ = true;
  asio::post(executor_, [self = shared_from_this()] {
    self->is_flush_due_ = false;
    if (!self->is_waiting_until_writable_) self->flush();
  });
}

void Channel::State::flush() {
  const bool was_long = queue_.bytes() > limits_.max_waiting;
  while (can_send() && !queue_.empty()) {
    const ssize_t sent = send_pieces();
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno == EAGAIN) {
      wait_until_writable();
      break;
    }
    if (sent < 0) return mark_receiver_gone();
    queue_.drop(static_cast<std::size_t>(sent));
  }
  if (was_long && queue_.bytes() <= limits_.max_waiting) drained_.cancel();
  if (queue_.empty()) emptied_.cancel();
}

ssize_t Channel::State::send_pieces() {
  std::array<iovec, kPiecesPerCall> pieces{};
  msghdr message{};
  message.msg_iov = pieces.data();
  message.msg_iovlen = queue_.gather(pieces);
  return sendmsg(socket_.native_handle(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void Channel::State::wait_until_writable() {
  is_waiting_until_writable_ = true;
  socket_.async_wait(asio::socket_base::wait_write,
                     [self = shared_from_this()](const boost::system::error_code& error) {
                       self->is_waiting_until_writable_ = false;
                       if (!error) self->flush();
                     });
}

void Channel::State::mark_receiver_gone() {
  is_receiver_gone_ = true;
  queue_.clear();
  drained_.cancel();
  emptied_.cancel();
}

Channel::Channel(asio::any_io_executor executor, FileDescriptor socket, ChannelLimits limits)
    : state_(std::make_shared<State>(std::move(executor), std::move(socket), limits)) {}

Channel::~Channel() {
  close();
}

Async<Status> Channel::send(Frame frame) {
  return State::send(state_, std::move(frame));
}

Async<Status> Channel::flushed() {
  return State::flushed(state_);
}

bool Channel::post(Frame frame) {
  return state_->post(std::move(frame));
}

Async<Result<Frame>> Channel::receive() {
  return State::receive(state_);
}

void Channel::close() {
  state_->end(unavailable("the channel was closed"));
}

bool Channel::is_open() const {
  return state_->can_send();
}

std::size_t Channel::waiting_bytes() const {
  return state_->waiting_bytes();
}

std::size_t Channel::max_frame() const {
  return state_->max_frame();
}

Result<std::pair<FileDescriptor, FileDescriptor>> make_socket_pair() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return unavailable("no socket pair can be made: " + std::generic_category().message(errno));
  std::pair pair{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
  for (const int end : ends)  // best effort: the system has its own limit
    setsockopt(end, SOL_SOCKET, SO_SNDBUF, &kSocketBufferBytes, sizeof kSocketBufferBytes);
  return pair;
}

}  // namespace heddle::ipc

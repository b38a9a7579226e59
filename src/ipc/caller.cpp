#include "ipc/caller.hpp"

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

// A side that answers nothing must not cost us memory without end.
constexpr std::size_t kMaxUnanswered = 100'000;

Error unavailable(std::string message) {
  return {ErrorCode::unavailable, std::move(message)};
}

Frame checked(Frame frame) {
  if ((frame.type & kAnswerBit) != 0) throw std::invalid_argument("ipc: a type has the answer bit");
  return frame;
}

Frame as_answer(std::uint32_t number, Frame frame) {
  frame = checked(std::move(frame));
  frame.type |= kAnswerBit;
  frame.number = number;
  return frame;
}

Frame as_notice(Frame frame) {
  frame = checked(std::move(frame));
  frame.number = 0;
  return frame;
}

Async<Status> nothing_to_send() {
  co_return Done{};
}

}  // namespace

class Caller::State {
 public:
  explicit State(std::shared_ptr<Channel> channel) : channel_(std::move(channel)) {}

  // These two hold the state themselves: the caller may be destroyed while they wait.
  static Async<Result<Frame>> ask(std::shared_ptr<State> self, Frame question,
                                  std::optional<Deadline> deadline);
  static Async<Status> run(std::shared_ptr<State> self, Receive receive, Handler handler);

  void end(const std::string& reason);
  [[nodiscard]] Channel& channel() { return *channel_; }
  [[nodiscard]] std::shared_ptr<Channel> shared_channel() const { return channel_; }
  [[nodiscard]] std::size_t unanswered() const { return askers_.size(); }

 private:
  // Lives in the coroutine of who asks; the table of askers knows it until it is answered or gone.
  struct Asker {
    Asker(State& state, std::uint32_t own_number, asio::steady_timer timer)
        : owner(state), number(own_number), alarm(std::move(timer)) {
      owner.askers_.emplace(number, this);
    }
    ~Asker() {
      if (!answer) owner.askers_.find(number)->second = nullptr;
    }
    Asker(const Asker&) = delete;
    Asker& operator=(const Asker&) = delete;

    void wake_with(Result<Frame> result) {
      answer = std::move(result);
      alarm.cancel();
    }

    State& owner;
    std::uint32_t number;
    asio::steady_timer alarm;
    std::optional<Result<Frame>> answer;
  };

  struct EndOfRun {  // however run() ends: without it nobody may wait for answers
    explicit EndOfRun(State& state) : owner(state) {}
    ~EndOfRun() { owner.end("answers are no longer received"); }
    EndOfRun(const EndOfRun&) = delete;
    EndOfRun& operator=(const EndOfRun&) = delete;
    State& owner;
  };

  std::uint32_t free_number();
  Status dispatch(Frame frame, const Handler& handler);

  std::shared_ptr<Channel> channel_;
  std::unordered_map<std::uint32_t, Asker*> askers_;  // nullptr: gave up, the answer may yet come
  std::uint32_t last_number_ = 0;
  bool has_run_ = false;
};

std::uint32_t Caller::State::free_number() {
  do {
    ++last_number_;
  } while (last_number_ == 0 || askers_.contains(last_number_));
  return last_number_;
}

// Posts rather than sends: who waits for an answer has no second question under way, and the
// deadline counts for all of the waiting.
Async<Result<Frame>> Caller::State::ask(std::shared_ptr<State> self, Frame question,
                                        std::optional<Deadline> deadline) {
  if (question.body.size() > self->channel_->max_frame())
    co_return Error{ErrorCode::bad_input,
                    "a question of " + std::to_string(question.body.size()) + " bytes is too long"};
  if (self->askers_.size() >= kMaxUnanswered)
    co_return unavailable("the other side leaves too many questions unanswered");
  const std::uint32_t number = self->free_number();
  question.number = number;
  if (!self->channel_->post(std::move(question))) co_return unavailable("the channel is closed");

  asio::steady_timer alarm(co_await asio::this_coro::executor, deadline.value_or(Deadline::max()));
  const auto asker = std::make_unique<Asker>(*self, number, std::move(alarm));
  co_await asker->alarm.async_wait(asio::as_tuple(asio::use_awaitable));
  const auto cancellation = co_await asio::this_coro::cancellation_state;
  if (cancellation.cancelled() != asio::cancellation_type::none)
    throw boost::system::system_error(asio::error::operation_aborted);
  if (!asker->answer) co_return Error{ErrorCode::timeout, "no answer came in time"};
  co_return *std::move(asker->answer);
}

Async<Status> Caller::State::run(std::shared_ptr<State> self, Receive receive, Handler handler) {
  if (std::exchange(self->has_run_, true)) co_return Error{ErrorCode::bug, "it runs already"};
  const EndOfRun end_of_run(*self);
  for (;;) {
    auto frame = co_await receive();
    Status status = frame ? self->dispatch(*std::move(frame), handler) : Status(frame.error());
    if (status) continue;
    self->end(status.error().message);
    co_return std::move(status).error();
  }
}

Status Caller::State::dispatch(Frame frame, const Handler& handler) {
  if ((frame.type & kAnswerBit) == 0) return handler(std::move(frame));
  const auto found = askers_.find(frame.number);
  if (found == askers_.end())
    return Error{ErrorCode::corrupt, "an answer came to question " + std::to_string(frame.number) +
                                         ", which was not asked or is answered already"};
  Asker* asker = found->second;
  askers_.erase(found);
  frame.type &= static_cast<std::uint16_t>(~kAnswerBit);
  if (asker != nullptr) asker->wake_with(std::move(frame));
  return Done{};
}

void Caller::State::end(const std::string& reason) {
  channel_->close();
  const auto askers = std::exchange(askers_, {});
  for (const auto& [number, asker] : askers)
    if (asker != nullptr) asker->wake_with(unavailable(reason));
}

Caller::Caller(std::shared_ptr<Channel> channel)
    : state_(std::make_shared<State>(std::move(channel))) {}

Caller::~Caller() {
  close();
}

Async<Result<Frame>> Caller::ask(Frame question, std::optional<Deadline> deadline) {
  return State::ask(state_, checked(std::move(question)), deadline);
}

Async<Status> Caller::answer(std::uint32_t number, Frame answer) {
  if (number == 0) return nothing_to_send();
  return state_->channel().send(as_answer(number, std::move(answer)));
}

bool Caller::post_answer(std::uint32_t number, Frame answer) {
  if (number == 0) return is_open();
  return state_->channel().post(as_answer(number, std::move(answer)));
}

Async<Status> Caller::tell(Frame notice) {
  return state_->channel().send(as_notice(std::move(notice)));
}

bool Caller::post(Frame notice) {
  return state_->channel().post(as_notice(std::move(notice)));
}

Async<Status> Caller::run(Handler handler) {
  return run([channel = state_->shared_channel()] { return channel->receive(); },
             std::move(handler));
}

Async<Status> Caller::run(Receive receive, Handler handler) {
  return State::run(state_, std::move(receive), std::move(handler));
}

void Caller::close() {
  state_->end("the channel was closed");
}

bool Caller::is_open() const {
  return state_->channel().is_open();
}

std::size_t Caller::waiting_bytes() const {
  return state_->channel().waiting_bytes();
}

std::size_t Caller::unanswered() const {
  return state_->unanswered();
}

}  // namespace heddle::ipc

#include "supervise/child/child_link.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>
#include <fmt/format.h>

#include "base/rethrow_bug.hpp"
#include "base/wake_signal.hpp"

namespace heddle::supervise {

namespace asio = boost::asio;

struct ChildLink::State {
  State(ChildEndpoint end, const asio::any_io_executor& loop)
      : executor(loop),
        page(std::move(end.page)),
        assignment(std::move(end.assignment)),
        heartbeat(end.heartbeat),
        is_spare(end.is_spare),
        channel(loop, std::move(end.socket)) {}

  asio::any_io_executor executor;
  ChildPage page;
  ChildAssignment assignment;
  std::chrono::milliseconds heartbeat;
  bool is_spare;
  ipc::Channel channel;
  WakeSignal gone;
  std::function<void()> on_drain;
  bool is_drain_requested = false;
};

Async<Result<std::unique_ptr<ChildLink>>> ChildLink::attach() {
  auto taken = take_child_endpoint();
  if (!taken) co_return std::move(taken.error());
  const auto executor = co_await asio::this_coro::executor;
  co_return std::make_unique<ChildLink>(std::make_unique<ChildEndpoint>(std::move(*taken)),
                                        executor);
}

ChildLink::ChildLink(std::unique_ptr<ChildEndpoint> end, const asio::any_io_executor& executor)
    : state_(std::make_shared<State>(std::move(*end), executor)) {
  state_->page.beat();
  state_->page.set(ChildFlag::attached);
  state_->channel.post(make_frame(ChildHello{kControlVersion, StopMethod::request}));
  if (!state_->is_spare) start_heartbeat();
}

// No watchdog reads the heartbeat of a spare, so a spare never wakes up for it.
void ChildLink::start_heartbeat() {
  asio::co_spawn(state_->executor, beat(state_), rethrow_bug);
}

Async<Status> ChildLink::assigned() {
  if (!state_->is_spare) co_return Done{};
  const auto frame = co_await state_->channel.receive();
  if (!frame) co_return frame.error();
  auto assignment = read_assignment(*frame);
  if (frame->type != static_cast<std::uint16_t>(ControlFrameType::assignment) || !assignment)
    co_return Error{ErrorCode::corrupt, "not an assignment"};
  state_->is_spare = false;
  state_->assignment = std::move(*assignment);
  start_heartbeat();
  co_return Done{};
}

ChildLink::~ChildLink() {
  state_->gone.close();
  state_->channel.close();
}

Async<void> ChildLink::beat(std::shared_ptr<State> state) {
  bool is_alive = true;
  while (is_alive) {
    state->page.beat();
    is_alive = co_await state->gone.wait_for(state->heartbeat);
  }
}

const ChildAssignment& ChildLink::assignment() const {
  return state_->assignment;
}

ipc::Channel& ChildLink::channel() {
  return state_->channel;
}

Async<Result<ipc::Frame>> ChildLink::receive() {
  return receive_on(state_);
}

Async<Result<ipc::Frame>> ChildLink::receive_on(std::shared_ptr<State> state) {
  for (;;) {
    auto frame = co_await state->channel.receive();
    if (!frame || frame->type >= kFirstOwnerType) co_return frame;
    if (frame->type != static_cast<std::uint16_t>(ControlFrameType::drain))
      co_return Error{ErrorCode::corrupt, fmt::format("unknown control frame {}", frame->type)};
    on_drain_request(*state);
  }
}

void ChildLink::on_drain_request(State& state) {
  if (std::exchange(state.is_drain_requested, true)) return;
  if (state.on_drain) state.on_drain();
}

void ChildLink::set_drain_handler(std::function<void()> handler) {
  state_->on_drain = std::move(handler);
}

bool ChildLink::is_drain_requested() const {
  return state_->is_drain_requested;
}

void ChildLink::ready() {
  state_->page.set(ChildFlag::ready);
  state_->channel.post(make_control(ControlFrameType::ready));
}

void ChildLink::begin_draining() {
  state_->page.set(ChildFlag::draining);
  state_->channel.post(make_control(ControlFrameType::draining));
}

void ChildLink::enable_recovery() {
  state_->page.set(ChildFlag::wants_recovery);
}

void ChildLink::set_working_on(std::uint64_t what) {
  state_->page.set_working_on(what);
}

std::atomic<std::uint64_t>& ChildLink::work_word() {
  return state_->page.work_word();
}

}  // namespace heddle::supervise

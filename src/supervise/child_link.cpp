#include "supervise/child_link.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>
#include <fmt/format.h>

#include "base/doorbell.hpp"
#include "base/rethrow_bug.hpp"

namespace heddle::supervise {

namespace asio = boost::asio;

struct ChildLink::State {
  State(ChildEnd end, const asio::any_io_executor& loop)
      : executor(loop),
        page(std::move(end.page)),
        assignment(std::move(end.assignment)),
        heartbeat(end.heartbeat),
        is_spare(end.is_spare),
        channel(loop, std::move(end.socket)) {}

  asio::any_io_executor executor;
  ChildPage page;
  Assignment assignment;
  std::chrono::milliseconds heartbeat;
  bool is_spare;
  ipc::Channel channel;
  Doorbell gone;
  std::function<void()> on_drain;
  bool is_asked_to_drain = false;
};

Async<Result<std::unique_ptr<ChildLink>>> ChildLink::attach() {
  auto taken = take_child_end();
  if (!taken) co_return std::move(taken.error());
  const auto executor = co_await asio::this_coro::executor;
  co_return std::make_unique<ChildLink>(std::make_unique<ChildEnd>(std::move(*taken)), executor);
}

ChildLink::ChildLink(std::unique_ptr<ChildEnd> end, const asio::any_io_executor& executor)
    : state_(std::make_shared<State>(std::move(*end), executor)) {
  state_->page.beat();
  state_->page.set(Mark::attached);
  state_->channel.post(make_frame(Hello{kControlVersion, StopBy::asking}));
  if (!state_->is_spare) begin_to_beat();
}

// Nobody listens to the heart of a spare: it sleeps undisturbed.
void ChildLink::begin_to_beat() {
  asio::co_spawn(state_->executor, beat(state_), rethrow_bug);
}

Async<Status> ChildLink::assigned() {
  if (!state_->is_spare) co_return Done{};
  const auto frame = co_await state_->channel.receive();
  if (!frame) co_return frame.error();
  auto assignment = read_assignment(*frame);
  if (frame->type != static_cast<std::uint16_t>(Control::assignment) || !assignment)
    co_return Error{ErrorCode::corrupt, "not an assignment"};
  state_->is_spare = false;
  state_->assignment = std::move(*assignment);
  begin_to_beat();
  co_return Done{};
}

ChildLink::~ChildLink() {
  state_->gone.ring_for_good();
  state_->channel.close();
}

Async<void> ChildLink::beat(std::shared_ptr<State> state) {
  bool is_there = true;
  while (is_there) {
    state->page.beat();
    is_there = co_await state->gone.wait_for(state->heartbeat);
  }
}

const Assignment& ChildLink::assignment() const {
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
    if (!frame || frame->type >= kFirstOwnType) co_return frame;
    if (frame->type != static_cast<std::uint16_t>(Control::please_drain))
      co_return Error{ErrorCode::corrupt, fmt::format("unknown control frame {}", frame->type)};
    on_drain_request(*state);
  }
}

void ChildLink::on_drain_request(State& state) {
  if (std::exchange(state.is_asked_to_drain, true)) return;
  if (state.on_drain) state.on_drain();
}

void ChildLink::set_drain_handler(std::function<void()> handler) {
  state_->on_drain = std::move(handler);
}

bool ChildLink::is_asked_to_drain() const {
  return state_->is_asked_to_drain;
}

void ChildLink::ready() {
  state_->page.set(Mark::ready);
  state_->channel.post(make_control(Control::ready));
}

void ChildLink::begin_draining() {
  state_->page.set(Mark::draining);
  state_->channel.post(make_control(Control::draining));
}

void ChildLink::enable_recovery() {
  state_->page.set(Mark::wants_recovery);
}

void ChildLink::set_working_on(std::uint64_t what) {
  state_->page.set_working_on(what);
}

std::atomic<std::uint64_t>& ChildLink::work_word() {
  return state_->page.work_word();
}

}  // namespace heddle::supervise
